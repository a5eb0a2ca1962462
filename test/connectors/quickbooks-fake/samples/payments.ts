import { type Pick, type WriteSamples } from '../../write-samples.js';

type Values = Readonly<Record<string, unknown>>;

export function paymentSamples(pick: Pick): WriteSamples {
  const open = ({ amountDue, currencyId }: Values) => currencyId === 'CAD' && Number(amountDue) > 20;
  const invoice_id = pick('INVOICES', open);
  const bill_id = pick('BILLS', open);
  const account = (wanted: string) => pick('ACCOUNTS', ({ name }) => name === wanted);
  const account_id = account('Checking');
  const header = { payment_date: '2026-03-03', currency_id: 'CAD', currency_rate: '0.75', memo: 'In part' };
  const sales = account('Sales of Product Income');
  return {
    INVOICE_PAYMENTS: {
      creates: [
        { invoice_id, amount: '1.5' },
        { ...header, invoice_id, amount: '2', account_id, document_number: 'Stmt 9' },
      ],
      refused: [
        { item: { invoice_id, amount: '99999999' }, code: 'invalid-params', field: 'amount' },
        { item: { invoice_id, amount: '1', account_id: sales }, code: 'invalid-params', field: 'account_id' },
        {
          item: { invoice_id, amount: '1', currency_id: 'EUR' },
          code: 'invalid-params',
          field: 'currency_id',
        },
      ],
    },
    BILL_PAYMENTS: {
      creates: [
        { bill_id, amount: '1.5', account_id },
        { ...header, bill_id, amount: '2', account_id: account('Mastercard'), payment_mode: 'CreditCard' },
        { bill_id, amount: '2.5', account_id, document_number: 'CHK-9' },
      ],
      refused: [
        { item: { bill_id, amount: '99999999', account_id }, code: 'invalid-params', field: 'amount' },
        {
          item: { bill_id, amount: '1', account_id: account('Mastercard') },
          code: 'invalid-params',
          field: 'account_id',
        },
      ],
    },
  };
}
