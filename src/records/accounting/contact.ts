import type { ContactModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { oneOf, text, timestamp } from '../fields.js';
import { lines, many, one } from '../relations.js';
import { CONTACT_TYPES, RECORD_STATUSES } from '../value-sets.js';

/** Reference G4, contacts. */
export const contact = defineRecord<ContactModel>()({
  model: 'Contact',
  table: 'contacts',
  list: 'contacts',
  path: 'accounting/contacts',
  dataModel: 'CONTACTS',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    contactName: text('contact_name'),
    contactType: oneOf('contact_type', CONTACT_TYPES),
    currencyId: text('currency_id'),
    taxNumber: text('tax_number'),
    registrationNumber: text('registration_number'),
    status: oneOf('status', RECORD_STATUSES),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    phoneNumbers: lines('phone_numbers', 'PhoneNumber'),
    addresses: lines('addresses', 'Address'),
    externalLinks: lines('external_links', 'ExternalLink'),
    invoices: many('invoices', 'Invoice', 'contactId'),
    invoiceCreditNotes: many('invoice_credit_notes', 'InvoiceCreditNote', 'contactId'),
    invoicePayments: many('invoice_payments', 'InvoicePayment', 'contactId'),
    bills: many('bills', 'Bill', 'contactId'),
    billCreditNotes: many('bill_credit_notes', 'BillCreditNote', 'contactId'),
    billPayments: many('bill_payments', 'BillPayment', 'contactId'),
    purchaseOrders: many('purchase_orders', 'PurchaseOrder', 'contactId'),
    salesOrders: many('sales_orders', 'SalesOrder', 'contactId'),
    bankTransactions: many('bank_transactions', 'BankTransaction', 'contactId'),
    expenses: many('expenses', 'Expense', 'contactId'),
  },
});
