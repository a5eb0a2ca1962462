import { type Records } from '../../pulls.js';
import { type Pick, type WriteSamples } from '../../write-samples.js';

export function paymentSamples(pick: Pick, living: Records): WriteSamples {
  const bank = pick('ACCOUNTS', ({ name }) => name === 'Checking');
  const income = pick('ACCOUNTS', ({ name }) => name === 'Sales');
  const [vendor, customer] = ['VENDOR', 'CUSTOMER'].map((type) =>
    pick('CONTACTS', ({ contactType, status }) => contactType === type && status === 'ACTIVE'),
  );
  /** Of whom there is something to pay. */
  const openOf = (dataModel: string) => {
    const found = (living.get(dataModel) ?? []).find(
      ({ values }) => values['status'] === 'SUBMITTED' && Number(values['amountDue']) > 20,
    );
    if (!found) throw new Error(`there is nothing to pay of ${dataModel}`);
    return found;
  };
  const [invoice, bill] = [openOf('INVOICES'), openOf('BILLS')];
  const least = { amount: '0.01', payment_date: '2026-03-02', payment_mode: 'cash' };
  const all = { ...least, amount: '0.25', currency_rate: '1.5', memo: 'Thanks', account_id: bank };
  return {
    INVOICE_PAYMENTS: {
      creates: [
        { ...least, invoice_id: invoice.platformId },
        { ...all, invoice_id: invoice.platformId, contact_id: invoice.values['contactId'] },
      ],
      refused: [
        {
          item: { ...least, invoice_id: invoice.platformId, amount: '1000000' },
          code: 'invalid-params',
          field: 'amount',
        },
        {
          item: { ...least, invoice_id: invoice.platformId, account_id: income },
          code: 'invalid-params',
          field: 'account_id',
        },
        {
          item: { ...least, invoice_id: invoice.platformId, contact_id: vendor },
          code: 'invalid-params',
          field: 'contact_id',
        },
      ],
    },
    BILL_PAYMENTS: {
      creates: [
        { bill_id: bill.platformId, amount: '0.01' },
        { ...all, bill_id: bill.platformId, contact_id: bill.values['contactId'], payment_mode: 'check' },
      ],
      refused: [
        {
          item: { bill_id: bill.platformId, amount: '0.01', account_id: income },
          code: 'invalid-params',
          field: 'account_id',
        },
        {
          item: { bill_id: bill.platformId, amount: '0.01', contact_id: customer },
          code: 'invalid-params',
          field: 'contact_id',
        },
      ],
    },
  };
}
