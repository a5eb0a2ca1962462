import type { ItemModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { boolean, decimalNumber, hidden, oneOf, text, timestamp } from '../fields.js';
import { embedded } from '../relations.js';
import { ITEM_TYPES, RECORD_STATUSES } from '../value-sets.js';

/** Reference 2.3, Item. */
export const item = defineRecord<ItemModel>()({
  model: 'Item',
  table: 'items',
  list: 'items',
  path: 'accounting/items',
  dataModel: 'ITEMS',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    description: text('description'),
    code: text('code'),
    status: oneOf('status', RECORD_STATUSES),
    type: oneOf('type', ITEM_TYPES),
    quantityOnHand: decimalNumber('quantity_on_hand'),
    isBillItem: boolean('is_bill_item'),
    isInvoiceItem: boolean('is_invoice_item'),
    billItemAccountId: hidden(text('bill_item_account_id')),
    billItemTaxId: hidden(text('bill_item_tax_id')),
    billItemUnitPrice: hidden(decimalNumber('bill_item_unit_price')),
    billItemDescription: hidden(text('bill_item_description')),
    invoiceItemAccountId: hidden(text('invoice_item_account_id')),
    invoiceItemTaxId: hidden(text('invoice_item_tax_id')),
    invoiceItemUnitPrice: hidden(decimalNumber('invoice_item_unit_price')),
    invoiceItemDescription: hidden(text('invoice_item_description')),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    billItem: embedded('bill_item', {
      accountId: 'billItemAccountId',
      taxId: 'billItemTaxId',
      unitPrice: 'billItemUnitPrice',
      description: 'billItemDescription',
    }),
    invoiceItem: embedded('invoice_item', {
      accountId: 'invoiceItemAccountId',
      taxId: 'invoiceItemTaxId',
      unitPrice: 'invoiceItemUnitPrice',
      description: 'invoiceItemDescription',
    }),
  },
  rest: { always: { billItem: 'null', invoiceItem: 'null' } },
});
