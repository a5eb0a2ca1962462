import { type Records } from '../../pulls.js';
import { type Pick, type WriteSamples } from '../../write-samples.js';

/** The company is in Great Britain where lines are taxed by rates. */
export function documentSamples(pick: Pick, living: Records): WriteSamples {
  const isBritish = (living.get('TAX_RATES') ?? []).some(({ values }) => values['name'] === '20.0% S');
  const tax_id = pick('TAX_RATES', ({ name }) => name === (isBritish ? '20.0% S' : 'TAX'));
  const contact = (contactType: string, currency: string) =>
    pick(
      'CONTACTS',
      (values) =>
        values['contactType'] === contactType &&
        values['status'] === 'ACTIVE' &&
        values['currencyId'] === currency,
    );
  const gone = (contactType: string) =>
    pick('CONTACTS', (values) => values['contactType'] === contactType && values['status'] === 'ARCHIVED');
  const item_id = pick('ITEMS', ({ name }) => name === 'Gardening');
  const bought_id = pick('ITEMS', ({ name }) => name === 'Pump');
  const fuel = pick('ACCOUNTS', ({ name }) => name === 'Fuel');
  const tracking = (wanted: string) => pick('TRACKING_CATEGORIES', ({ name }) => name === wanted);
  const tracking_category_ids = [tracking('Paris'), tracking('Oakland')];
  const line = { item_id, unit_amount: '100' };
  const fine = {
    ...line,
    description: 'Roses, cut',
    quantity: '12.5',
    unit_amount: '0.333',
    tax_id,
  };
  const header = {
    posted_date: '2026-03-02',
    status: 'SUBMITTED',
    currency_id: 'CAD',
    currency_rate: '0.75',
  };
  const customer = contact('CUSTOMER', 'CAD');
  const vendor = contact('VENDOR', 'CAD');
  const spent = { account_id: fuel, unit_amount: '19.99', description: 'Diesel' };
  // Purchases are not taxed in the United States.
  const { tax_id: _tax, ...untaxed } = fine;
  const bought = { ...(isBritish ? fine : untaxed), item_id: bought_id };
  const numberOf = (dataModel: string) =>
    (living.get(dataModel) ?? []).find(({ values }) => typeof values['documentNumber'] === 'string')?.values[
      'documentNumber'
    ];
  const sale = (dataModel: string) => [
    {
      item: { contact_id: gone('CUSTOMER'), line_items: [line] },
      code: 'platform-denied',
      field: '',
    } as const,
    {
      item: { contact_id: customer, document_number: numberOf(dataModel), line_items: [line] },
      code: 'record-already-exists',
      field: 'document_number',
    } as const,
    {
      item: { contact_id: customer, currency_id: 'EUR', line_items: [line] },
      code: 'invalid-params',
      field: 'currency_id',
    } as const,
  ];
  const purchase = (dataModel: string) => [
    {
      item: { contact_id: vendor, document_number: numberOf(dataModel), line_items: [spent] },
      code: 'record-already-exists',
      field: 'document_number',
    } as const,
    {
      item: { contact_id: vendor, currency_id: 'EUR', line_items: [spent] },
      code: 'invalid-params',
      field: 'currency_id',
    } as const,
  ];
  // What a line by account costs is its sub total.
  const unread = ['line_items.unit_amount'];
  return {
    INVOICES: {
      creates: [
        { contact_id: customer, line_items: [line] },
        {
          ...header,
          contact_id: customer,
          document_number: 'W-1',
          due_date: '2026-03-31',
          memo: 'Thank you',
          line_items: [
            { ...fine, tracking_category_ids },
            { ...fine, unit_amount: '-5', tracking_category_ids: [tracking('Oakland')] },
          ],
        },
      ],
      update: { item: { due_date: '2026-05-31', memo: 'Thanks again' } },
      refused: sale('INVOICES'),
    },
    BILLS: {
      creates: [
        { contact_id: vendor, line_items: [spent] },
        {
          ...header,
          contact_id: vendor,
          document_number: 'S-1',
          due_date: '2026-03-31',
          memo: 'For the van',
          line_items: [bought, { ...spent, ...(isBritish && { tax_id }) }],
        },
      ],
      update: { item: { due_date: '2026-05-31', document_number: 'S-1 corrected' } },
      unread,
      refused: purchase('BILLS'),
    },
    INVOICE_CREDIT_NOTES: {
      creates: [
        { contact_id: customer, line_items: [line] },
        { ...header, contact_id: customer, document_number: 'C-1', memo: 'Withered', line_items: [fine] },
      ],
      refused: sale('INVOICE_CREDIT_NOTES'),
    },
    BILL_CREDIT_NOTES: {
      creates: [
        { contact_id: vendor, line_items: [spent] },
        { ...header, contact_id: vendor, document_number: 'R-1', memo: 'Returned', line_items: [bought] },
      ],
      unread,
      refused: purchase('BILL_CREDIT_NOTES'),
    },
  };
}
