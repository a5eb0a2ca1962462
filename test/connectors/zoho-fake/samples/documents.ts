import { type Pick, type WriteSample, type WriteSamples } from '../../write-samples.js';

export function documentSamples(pick: Pick): WriteSamples {
  const tax_id = pick('TAX_RATES', ({ name }) => name === 'Sales taxes');
  const item_id = pick('ITEMS', ({ name }) => name === 'Item 002');
  const account_id = pick('ACCOUNTS', ({ name }) => name === 'Office Supplies');
  const income = pick('ACCOUNTS', ({ name }) => name === 'Sales abroad');
  const euro = pick('CURRENCIES', ({ code }) => code === 'EUR');
  const yen = pick('CURRENCIES', ({ code }) => code === 'JPY');
  const contact = (contactType: string, status = 'ACTIVE') =>
    pick('CONTACTS', (values) => values['contactType'] === contactType && values['status'] === status);
  const abroad = pick(
    'CONTACTS',
    (values) => values['contactType'] === 'CUSTOMER' && values['currencyId'] === euro,
  );
  const [customer, vendor] = [contact('CUSTOMER'), contact('VENDOR')];
  const line = { item_id, unit_amount: '100' };
  const fine = { ...line, description: 'Roses, cut', quantity: '12.5', unit_amount: '0.333', tax_id };
  const spent = { account_id, unit_amount: '19.99', description: 'Diesel' };
  const full = { posted_date: '2026-03-02', memo: 'Thank you' };
  const refused = (item: Readonly<Record<string, unknown>>, number: string): WriteSample['refused'] => [
    {
      item: { ...item, document_number: number },
      code: 'record-already-exists',
      field: 'document_number',
    },
    { item: { ...item, currency_id: yen }, code: 'platform-denied', field: 'currency_id' },
  ];
  const gone = { contact_id: contact('VENDOR', 'ARCHIVED') };
  return {
    INVOICES: {
      creates: [
        { contact_id: customer, line_items: [line] },
        { contact_id: customer, document_number: 'W-0', status: 'DRAFT', line_items: [line] },
        {
          ...full,
          contact_id: abroad,
          document_number: 'W-1',
          due_date: '2026-03-31',
          status: 'SUBMITTED',
          currency_id: euro,
          currency_rate: '1.25',
          line_items: [fine, { ...line, unit_amount: '20', total_discount: '1.5' }],
        },
      ],
      update: { item: { due_date: '2026-05-31', memo: 'Thanks again' } },
      refused: [
        ...refused({ contact_id: customer, line_items: [line] }, 'INVOICE-2'),
        {
          item: { contact_id: vendor, line_items: [line] },
          code: 'invalid-params',
          field: 'contact_id',
        },
      ],
    },
    BILLS: {
      creates: [
        { contact_id: vendor, document_number: 'S-0', line_items: [spent] },
        {
          ...full,
          contact_id: vendor,
          document_number: 'S-1',
          due_date: '2026-03-31',
          status: 'SUBMITTED',
          line_items: [
            { ...fine, account_id },
            { ...spent, tax_id },
          ],
        },
      ],
      update: { item: { due_date: '2026-05-31', document_number: 'S-1 corrected' } },
      refused: [
        ...refused({ contact_id: vendor, document_number: 'S-2', line_items: [spent] }, 'BILL-2'),
        {
          item: { ...gone, document_number: 'S-3', line_items: [spent] },
          code: 'invalid-params',
          field: 'contact_id',
        },
      ],
    },
    INVOICE_CREDIT_NOTES: {
      creates: [
        {
          contact_id: customer,
          document_number: 'C-0',
          posted_date: '2026-03-02',
          status: 'DRAFT',
          line_items: [line],
        },
        {
          ...full,
          contact_id: customer,
          document_number: 'C-1',
          status: 'SUBMITTED',
          line_items: [fine, { account_id: income, unit_amount: '5' }],
        },
      ],
      refused: refused(
        { contact_id: customer, document_number: 'C-2', posted_date: '2026-03-02', line_items: [line] },
        'CREDITNOTE-2',
      ),
    },
    BILL_CREDIT_NOTES: {
      creates: [
        { contact_id: vendor, line_items: [spent] },
        {
          ...full,
          contact_id: vendor,
          document_number: 'R-1',
          status: 'SUBMITTED',
          line_items: [fine, spent],
        },
      ],
      refused: refused({ contact_id: vendor, line_items: [spent] }, 'VENDORCREDIT-2'),
    },
  };
}
