import { type Records } from '../pulls.js';
import { pickFrom, type WriteSamples } from '../write-samples.js';

type Values = Readonly<Record<string, unknown>>;

/** Items for Xero, made of an organisation's records. */
export function xeroSamples(living: Records): WriteSamples {
  const pick = pickFrom(living);
  const contact_id = pick('CONTACTS', ({ status }) => status === 'ACTIVE');
  const sales = pick('ACCOUNTS', ({ nominalCode }) => nominalCode === '200');
  const office = pick('ACCOUNTS', ({ nominalCode }) => nominalCode === '453');
  const equity = pick('ACCOUNTS', ({ nominalCode }) => nominalCode === '970');
  const stock = pick('ACCOUNTS', ({ nominalCode }) => nominalCode === '310');
  const isBank = ({ category, status }: Values) => category === 'BANK' && status === 'ACTIVE';
  const bank = pick('ACCOUNTS', isBank);
  const other = pick('ACCOUNTS', (values) => isBank(values) && values['nominalCode'] === '091');
  const option = pick(
    'TRACKING_CATEGORIES',
    ({ parentId, status }) => typeof parentId === 'string' && status === 'ACTIVE',
  );
  const region = pick('TRACKING_CATEGORIES', ({ name }) => name === 'Region');
  const soldItem = pick('ITEMS', ({ isInvoiceItem }) => isInvoiceItem === true);
  const closed = pick('ACCOUNTS', ({ status }) => status === 'ARCHIVED');
  const gone = pick('CONTACTS', ({ status }) => status === 'ARCHIVED');
  const nameOf = (dataModel: string, id: string) =>
    (living.get(dataModel)?.find(({ platformId }) => platformId === id)?.values as { readonly name?: string })
      .name;
  const open = ({ status, amountDue }: Values) => status === 'PARTIALLY_PAID' && Number(amountDue) > 100;
  const invoice_id = pick('INVOICES', open);
  const bill_id = pick('BILLS', open);
  const isDraft = ({ status }: Values) => status === 'DRAFT';
  // What was credited to something is approved.
  const creditOf = (dataModel: string, to: string) =>
    pick(
      dataModel,
      (values) => (values[to] as string[]).length > 0 && Number(values['remainingCredit']) > 50,
    );

  const line = { description: 'Advice', quantity: '1', unit_amount: '100', account_id: sales };
  const bought = { description: 'Paper', quantity: '3', unit_amount: '4.5', account_id: office };
  const fine = {
    ...line,
    description: 'Screws by the thousand',
    quantity: '1000.5',
    unit_amount: '0.1234',
    tax_id: 'OUTPUT2',
    tracking_category_ids: [option],
  };
  const document = {
    contact_id,
    posted_date: '2026-03-02',
    currency_id: 'USD',
    currency_rate: '1.6',
    status: 'SUBMITTED',
  };
  const strangeAccount = (given: object) => ({
    contact_id,
    line_items: [line, { ...given, account_id: closed }],
  });
  return {
    ACCOUNTS: {
      creates: [
        { name: 'Consulting', nominal_code: '205', category: 'INCOME' },
        {
          name: 'Petty cash',
          nominal_code: '615',
          description: 'Coins & notes',
          category: 'ASSET',
          sub_category: 'CURRENT',
          status: 'ACTIVE',
        },
        {
          name: 'Euro account',
          category: 'BANK',
          currency_id: 'EUR',
          raw_data: { BankAccountNumber: '12-3456-7890123-00' },
        },
      ],
      refused: [
        {
          item: { name: nameOf('ACCOUNTS', sales), nominal_code: '206', category: 'INCOME' },
          code: 'record-already-exists',
          field: 'name',
        },
        {
          item: { name: 'Another', nominal_code: '200', category: 'INCOME' },
          code: 'record-already-exists',
          field: 'nominal_code',
        },
        {
          item: { name: 'Bank', category: 'BANK' },
          code: 'missing-params',
          field: 'raw_data.BankAccountNumber',
        },
      ],
    },
    BANK_ACCOUNTS: {
      creates: [
        { account_name: 'Petty cash account', account_number: '01-0001-0000001-00' },
        {
          account_name: 'Dollar card',
          account_number: '4242',
          currency_id: 'USD',
          category: 'CREDITCARD',
          raw_data: { Code: '092' },
        },
      ],
      refused: [
        {
          item: { account_name: nameOf('ACCOUNTS', sales), account_number: '1' },
          code: 'record-already-exists',
          field: 'account_name',
        },
        {
          item: { account_name: 'Taken', account_number: '1', raw_data: { Code: '200' } },
          code: 'record-already-exists',
          field: 'raw_data.Code',
        },
      ],
    },
    TAX_RATES: {
      creates: [
        { name: 'Flat tax', total_tax_rate: '2.25' },
        {
          name: 'State and county',
          tax_type: 'OUTPUT',
          total_tax_rate: '8.5',
          components: [
            { name: 'State', rate: '7.5' },
            { name: 'County', rate: '1', is_compound: true },
          ],
        },
      ],
      refused: [
        { item: { name: 'No GST', total_tax_rate: '1' }, code: 'record-already-exists', field: 'name' },
        {
          item: {
            name: 'Compound of compound',
            components: ['State', 'County'].map((name) => ({ name, rate: '1', is_compound: true })),
          },
          code: 'invalid-params',
          field: 'components',
        },
      ],
    },
    TRACKING_CATEGORIES: {
      creates: [{ name: 'Channel' }, { name: 'Central', status: 'ACTIVE', parent_id: region }],
      refused: [
        { item: { name: 'Region' }, code: 'record-already-exists', field: 'name' },
        { item: { name: 'North', parent_id: region }, code: 'record-already-exists', field: 'name' },
      ],
    },
    ITEMS: {
      creates: [
        { code: 'WRITTEN' },
        {
          code: 'STOCK',
          name: 'In stock',
          type: 'INVENTORY',
          bill_item: { account_id: stock, unit_price: '7' },
          raw_data: { InventoryAssetAccountCode: '630' },
        },
        {
          code: 'FINE',
          name: 'Fine screws',
          description: 'Very fine screws',
          status: 'ACTIVE',
          is_invoice_item: true,
          invoice_item: { account_id: sales, tax_id: 'OUTPUT2', unit_price: '0.1234' },
          is_bill_item: true,
          bill_item: { account_id: office, tax_id: 'INPUT2', unit_price: '0.0617', description: 'As bought' },
        },
      ],
      update: { item: { description: 'Finer screws' }, also: ['invoiceItemDescription'] },
      refused: [
        { item: { code: 'ITEM-0' }, code: 'record-already-exists', field: 'code' },
        {
          item: { code: 'NEW', invoice_item: { account_id: closed } },
          code: 'invalid-params',
          field: 'invoice_item.account_id',
        },
      ],
    },
    CONTACTS: {
      creates: [
        { name: 'Written Limited' },
        {
          name: 'Aroha & Sons',
          contact_name: 'Mary Ann Smith',
          currency_id: 'USD',
          tax_number: '11-222-333',
          registration_number: 'NZBN1',
          status: 'ACTIVE',
          email: 'aroha@example.com',
          telephone: '+64 9 555 0101',
          mobile: '021 555',
          fax: '+64 9 555 0102',
          addresses: [
            { type: 'BILLING', street: '1 Queen Street, Level 2', locality: 'Level 2', city: 'Auckland' },
            {
              type: 'SHIPPING',
              street: '3 King Street',
              state: 'Otago',
              pincode: '9016',
              country: 'New Zealand',
            },
          ],
        },
      ],
      update: { item: { contact_name: 'Aroha', email: 'new@example.com' }, also: ['externalLinks'] },
      refused: [
        { item: { name: nameOf('CONTACTS', contact_id) }, code: 'record-already-exists', field: 'name' },
        { item: { name: 'Bad mail', email: 'nobody' }, code: 'invalid-params', field: 'email' },
      ],
    },
    INVOICES: {
      creates: [
        { contact_id, line_items: [line] },
        { contact_id, line_items: [{ item_id: soldItem, quantity: '2' }] },
        {
          ...document,
          document_number: 'W-1',
          due_date: '2026-03-31',
          memo: 'Order 7 of Aroha',
          line_items: [fine, { ...line, total_discount: '2.5' }],
        },
      ],
      update: { item: { due_date: '2026-05-31', memo: 'Order 8' } },
      refused: [
        { item: strangeAccount(line), code: 'invalid-params', field: 'line_items[1].account_id' },
        {
          item: { contact_id, document_number: 'INV-0000', line_items: [line] },
          code: 'record-already-exists',
          field: 'document_number',
        },
        {
          item: { contact_id, posted_date: '2019-01-01', line_items: [line] },
          code: 'operation-denied',
          field: 'posted_date',
        },
      ],
    },
    BILLS: {
      creates: [
        { contact_id, line_items: [bought] },
        {
          ...document,
          document_number: 'S-1',
          due_date: '2026-03-31',
          line_items: [
            { ...bought, unit_amount: '0.1234', tax_id: 'INPUT2', tracking_category_ids: [option] },
          ],
        },
      ],
      update: { item: { due_date: '2026-05-31', document_number: 'S-1 corrected' } },
      refused: [
        { item: strangeAccount(bought), code: 'invalid-params', field: 'line_items[1].account_id' },
        {
          item: { contact_id: gone, line_items: [bought] },
          code: 'invalid-params',
          field: 'contact_id',
        },
      ],
    },
    INVOICE_CREDIT_NOTES: {
      creates: [
        { contact_id, line_items: [line] },
        { ...document, document_number: 'C-1', memo: 'Returned', line_items: [fine] },
      ],
      refused: [{ item: strangeAccount(line), code: 'invalid-params', field: 'line_items[1].account_id' }],
    },
    BILL_CREDIT_NOTES: {
      creates: [
        { contact_id, line_items: [bought] },
        { ...document, document_number: 'R-1', line_items: [{ ...bought }] },
      ],
      refused: [{ item: strangeAccount(bought), code: 'invalid-params', field: 'line_items[1].account_id' }],
    },
    PURCHASE_ORDERS: {
      creates: [
        { contact_id, line_items: [bought] },
        {
          ...document,
          document_number: 'P-1',
          delivery_date: '2026-04-01',
          description: 'For the office',
          line_items: [bought, { ...bought, tracking_category_ids: [option] }],
        },
      ],
      refused: [
        {
          item: { contact_id, document_number: 'PO-0000', line_items: [bought] },
          code: 'record-already-exists',
          field: 'document_number',
        },
      ],
    },
    INVOICE_PAYMENTS: {
      creates: [
        { invoice_id, account_id: bank, amount: '1.5' },
        { invoice_id, account_id: other, amount: '2', payment_date: '2026-03-03', document_number: 'Stmt 9' },
        {
          credit_note_id: creditOf('INVOICE_CREDIT_NOTES', 'invoiceIds'),
          account_id: bank,
          amount: '3',
          memo: 'Paid back',
        },
      ],
      refused: [
        {
          item: { invoice_id, account_id: bank, amount: '99999999' },
          code: 'invalid-params',
          field: 'amount',
        },
        {
          item: { invoice_id: pick('INVOICES', isDraft), account_id: bank, amount: '1' },
          code: 'operation-denied',
          field: '',
        },
        { item: { invoice_id, account_id: sales, amount: '1' }, code: 'invalid-params', field: 'account_id' },
      ],
    },
    BILL_PAYMENTS: {
      creates: [
        { bill_id, account_id: bank, amount: '1.5' },
        {
          credit_note_id: creditOf('BILL_CREDIT_NOTES', 'billIds'),
          account_id: other,
          amount: '2',
          payment_date: '2026-03-03',
        },
      ],
      refused: [
        { item: { bill_id, account_id: bank, amount: '99999999' }, code: 'invalid-params', field: 'amount' },
      ],
    },
    BANK_TRANSACTIONS: {
      unread: ['from_account_id', 'to_account_id'],
      creates: [
        {
          type: 'SPEND',
          account_id: bank,
          to_account_id: office,
          contact_id,
          amount: '12.34',
        },
        {
          type: 'RECEIVE',
          account_id: other,
          from_account_id: sales,
          contact_id,
          amount: '7',
          transaction_date: '2026-03-04',
        },
        {
          type: 'TRANSFER',
          from_account_id: bank,
          to_account_id: other,
          amount: '5.5',
          transaction_date: '2026-03-05',
        },
      ],
      refused: [
        {
          item: { type: 'TRANSFER', from_account_id: bank, to_account_id: sales, amount: '5' },
          code: 'invalid-params',
          field: 'to_account_id',
        },
        {
          item: { type: 'SPEND', account_id: sales, to_account_id: office, contact_id, amount: '5' },
          code: 'invalid-params',
          field: 'account_id',
        },
      ],
    },
    JOURNAL_ENTRIES: {
      creates: [
        {
          description: 'Accrual',
          journal_lines: [
            { account_id: office, type: 'DEBIT', net_amount: '10.10' },
            { account_id: equity, type: 'CREDIT', net_amount: '10.1' },
          ],
        },
        {
          description: 'Accrual of March',
          posted_date: '2026-03-31',
          journal_entry_type: 'ACCRUAL',
          journal_lines: [
            {
              account_id: office,
              type: 'DEBIT',
              net_amount: '7',
              description: 'Paper',
              tracking_category_ids: [option],
            },
            { account_id: sales, type: 'DEBIT', net_amount: '3' },
            { account_id: equity, type: 'CREDIT', net_amount: '10' },
          ],
        },
        {
          description: 'Balanced with its tax',
          journal_lines: [
            { account_id: office, type: 'DEBIT', net_amount: '100', tax_id: 'INPUT2' },
            { account_id: equity, type: 'CREDIT', net_amount: '115' },
          ],
        },
      ],
      refused: [
        {
          item: {
            description: 'Unbalanced by its tax',
            journal_lines: [
              { account_id: office, type: 'DEBIT', net_amount: '100', tax_id: 'INPUT2' },
              { account_id: equity, type: 'CREDIT', net_amount: '100' },
            ],
          },
          code: 'invalid-params',
          field: 'journal_lines',
        },
        {
          item: {
            description: 'From the bank',
            journal_lines: [
              { account_id: office, type: 'DEBIT', net_amount: '1' },
              { account_id: bank, type: 'CREDIT', net_amount: '1' },
            ],
          },
          code: 'invalid-params',
          field: 'journal_lines[1].account_id',
        },
      ],
    },
  };
}
