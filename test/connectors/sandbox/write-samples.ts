import { type Records } from '../pulls.js';
import { type Item, pickFrom, type WriteSamples } from '../write-samples.js';

type Values = Readonly<Record<string, unknown>>;

/** Items for Books, made of a company's records. */
export function booksSamples(living: Records): WriteSamples {
  const pick = pickFrom(living);
  const isActive = ({ status }: Values) => status === 'ACTIVE';
  const account = (category: string) =>
    pick('ACCOUNTS', (values) => isActive(values) && values['category'] === category);
  const [income, cost, bank] = [account('INCOME'), account('EXPENSE'), account('BANK')];
  const otherBank = pick(
    'ACCOUNTS',
    (values) => isActive(values) && values['category'] === 'ASSET' && values['nominalCode'] !== null,
  );
  const currency_id = pick('CURRENCIES', ({ code }) => code === 'AUD');
  const contact = (type: string) =>
    pick('CONTACTS', (values) => isActive(values) && values['contactType'] === type);
  const [customer, vendor] = [contact('CUSTOMER'), contact('VENDOR')];
  const tax_id = pick('TAX_RATES', ({ effectiveTaxRate }) => Number(effectiveTaxRate) > 0);
  const item_id = pick('ITEMS', isActive);
  const option = pick('TRACKING_CATEGORIES', ({ parentId }) => typeof parentId === 'string');
  const dimension = pick('TRACKING_CATEGORIES', ({ parentId }) => parentId === null);
  const valueOf = (dataModel: string, id: string, field: string) =>
    living.get(dataModel)?.find(({ platformId }) => platformId === id)?.values?.[field];
  const open = ({ status, amountDue }: Values) =>
    ['SUBMITTED', 'OVERDUE', 'PARTIALLY_PAID'].includes(String(status)) && Number(amountDue) > 50;
  const invoice_id = pick('INVOICES', open);
  const bill_id = pick('BILLS', open);

  const sold = { description: 'Advice', quantity: '1', unit_amount: '100', account_id: income };
  const bought = { ...sold, description: 'Paper', quantity: '2.5', account_id: cost };
  const whole = (line: Item) => ({
    posted_date: '2026-03-02',
    currency_id,
    currency_rate: '1',
    status: 'DRAFT',
    line_items: [{ ...line, item_id, tax_id, total_discount: '2.5', tracking_category_ids: [option] }, line],
  });
  /** Documents with lines: what is taken and what is not is alike. */
  const documents = (contact_id: string, line: Item, own: Item) => ({
    creates: [
      { contact_id, line_items: [line] },
      { contact_id, document_number: 'W-1', ...whole(line), ...own },
    ] as [Item, Item],
    refused: [
      {
        item: { contact_id, line_items: [line, without(line, 'account_id')] },
        code: 'missing-params' as const,
        field: 'line_items[1].account_id',
      },
      {
        item: { contact_id, raw_data: { Unheard: 'of' }, line_items: [line] },
        code: 'invalid-params' as const,
        field: 'Unheard',
      },
    ],
  });
  const taken = (item: Item, field: string) => ({ item, code: 'record-already-exists' as const, field });

  return {
    ACCOUNTS: {
      creates: [
        { name: 'Consulting', nominal_code: '4205', category: 'INCOME' },
        {
          name: 'Petty cash',
          nominal_code: '1610',
          description: 'Coins & notes',
          category: 'ASSET',
          sub_category: 'CURRENT_ASSET',
          status: 'ARCHIVED',
          currency_id,
        },
      ],
      refused: [
        taken(
          { name: 'Twice', nominal_code: valueOf('ACCOUNTS', income, 'nominalCode'), category: 'INCOME' },
          'nominal_code',
        ),
      ],
    },
    BANK_ACCOUNTS: {
      creates: [
        { account_name: 'Petty cash account' },
        {
          account_name: 'Company card',
          institution_name: 'Harbour Bank',
          account_number: '4242 4242',
          category: 'CREDIT_CARD',
          currency_id,
          raw_data: { Number: '1088' },
        },
      ],
      refused: [
        taken(
          { account_name: 'Twice', raw_data: { Number: valueOf('ACCOUNTS', income, 'nominalCode') } },
          'raw_data',
        ),
      ],
    },
    TAX_RATES: {
      creates: [
        { name: 'Flat tax', total_tax_rate: '2.25' },
        {
          name: 'Wine and goods',
          code: 'WINE',
          tax_type: 'PURCHASE',
          total_tax_rate: '39.5',
          components: [
            { name: 'Wine', rate: '29.5', tax_agency: 'Treasury', is_compound: false },
            { name: 'Goods', rate: '10', is_compound: true },
          ],
        },
      ],
      refused: [
        taken({ name: 'Twice', code: valueOf('TAX_RATES', tax_id, 'code'), total_tax_rate: '1' }, 'code'),
      ],
    },
    TRACKING_CATEGORIES: {
      creates: [
        { name: 'Channel' },
        { name: 'Online', status: 'ARCHIVED', parent_id: dimension },
        { name: 'Mail order', parent_id: option },
      ],
      refused: [
        taken({ name: valueOf('TRACKING_CATEGORIES', dimension, 'name') }, 'name'),
        taken({ name: valueOf('TRACKING_CATEGORIES', option, 'name'), parent_id: dimension }, 'name'),
      ],
    },
    ITEMS: {
      creates: [
        { name: 'Written', code: 'WRITTEN' },
        {
          name: 'Fine screws',
          code: 'FINE',
          description: 'As sold',
          type: 'INVENTORY',
          status: 'ACTIVE',
          quantity_on_hand: '12.5',
          invoice_item: { account_id: income, tax_id, unit_price: '0.12', description: 'Sold' },
          bill_item: { account_id: cost, unit_price: '0.06' },
        },
      ],
      update: { item: { description: 'Finer', quantity_on_hand: '13' } },
      refused: [taken({ name: 'Twice', code: valueOf('ITEMS', item_id, 'code') }, 'code')],
    },
    CONTACTS: {
      creates: [
        { name: 'Written Limited', contact_type: 'CUSTOMER' },
        {
          name: 'Aroha & Sons',
          contact_type: 'VENDOR',
          contact_name: 'Mary Ann Smith',
          currency_id,
          tax_number: '11-222-333',
          registration_number: 'ACN 1',
          status: 'ACTIVE',
          email: 'aroha@example.com',
          website: 'https://aroha.example.com',
          telephone: '+61 2 555 0101',
          mobile: '0400 555',
          fax: '+61 2 555 0102',
          addresses: [
            {
              type: 'BILLING',
              street: '1 Queen Street',
              locality: 'Docks',
              city: 'Sydney',
              country: 'Australia',
            },
            { type: 'SHIPPING', street: '3 King Street', state: 'NSW', pincode: '2000' },
          ],
        },
      ],
      update: { item: { contact_name: 'Aroha', email: 'new@example.com' }, also: ['externalLinks'] },
      refused: [
        {
          item: { name: 'Strange', contact_type: 'CUSTOMER', raw_data: { Unheard: 'of' } },
          code: 'invalid-params',
          field: 'Unheard',
        },
      ],
    },
    INVOICES: {
      ...documents(customer, sold, { due_date: '2026-03-31', memo: 'Order 7' }),
      update: { item: { due_date: '2026-05-31', memo: 'Order 8' } },
    },
    BILLS: {
      ...documents(vendor, bought, { due_date: '2026-03-31', memo: 'Paper' }),
      update: { item: { due_date: '2026-05-31', memo: 'More paper' } },
    },
    INVOICE_CREDIT_NOTES: documents(customer, sold, { memo: 'Returned' }),
    BILL_CREDIT_NOTES: documents(vendor, bought, { memo: 'Returned' }),
    SALES_ORDERS: documents(customer, sold, { description: 'For the office', delivery_date: '2026-04-01' }),
    PURCHASE_ORDERS: documents(vendor, bought, {
      description: 'For the office',
      delivery_date: '2026-04-01',
      payment_mode: 'CHEQUE',
    }),
    EXPENSES: {
      creates: [
        { account_id: bank, line_items: [bought] },
        {
          account_id: bank,
          contact_id: vendor,
          document_number: 'E-1',
          ...without(whole(bought), 'status'),
          payment_mode: 'CASH',
          memo: 'Taxi',
        },
      ],
      update: { item: { memo: 'Two taxis' } },
      refused: [
        {
          item: { account_id: bank, line_items: [without(bought, 'account_id')] },
          code: 'missing-params',
          field: 'line_items[0].account_id',
        },
      ],
    },
    INVOICE_PAYMENTS: {
      creates: [
        { invoice_id, account_id: bank, amount: '1.5' },
        {
          invoice_id,
          account_id: bank,
          amount: '2',
          payment_date: '2026-03-03',
          payment_id: 'Till 7',
          document_number: 'P-1',
          payment_mode: 'CASH',
          memo: 'At the till',
          currency_rate: '1',
        },
      ],
      refused: [
        {
          item: { invoice_id, account_id: bank, amount: '99999999' },
          code: 'invalid-params',
          field: 'amount',
        },
      ],
    },
    BILL_PAYMENTS: {
      creates: [
        { bill_id, account_id: bank, amount: '1.5' },
        { bill_id, account_id: bank, amount: '2', payment_date: '2026-03-03', payment_mode: 'CHEQUE' },
      ],
      refused: [
        { item: { bill_id, account_id: bank, amount: '99999999' }, code: 'invalid-params', field: 'amount' },
      ],
    },
    BANK_TRANSACTIONS: {
      creates: [
        { type: 'EXPENSE', account_id: bank, amount: '12.34' },
        {
          type: 'DEPOSIT',
          account_id: bank,
          from_account_id: income,
          contact_id: customer,
          currency_id,
          currency_rate: '1',
          amount: '7',
          status: 'PENDING',
          transaction_date: '2026-03-04',
        },
        { type: 'TRANSFER', account_id: bank, to_account_id: otherBank, amount: '5.5' },
      ],
      refused: [
        { item: { type: 'EXPENSE', account_id: bank, amount: '0' }, code: 'invalid-params', field: 'amount' },
        {
          item: {
            ...{ type: 'TRANSFER', account_id: bank, amount: '1' },
            ...{ from_account_id: bank, to_account_id: bank },
          },
          code: 'invalid-params',
          field: 'to_account_id',
        },
        {
          item: { type: 'DEPOSIT', account_id: bank, from_account_id: bank, amount: '1' },
          code: 'invalid-params',
          field: 'from_account_id',
        },
      ],
    },
    JOURNAL_ENTRIES: {
      creates: [
        {
          journal_lines: [
            { account_id: cost, type: 'DEBIT', net_amount: '10.10' },
            { account_id: bank, type: 'CREDIT', net_amount: '10.1' },
          ],
        },
        {
          document_number: 'J-1',
          description: 'Accrual of March',
          posted_date: '2026-03-31',
          journal_entry_type: 'ADJUSTING',
          currency_id,
          currency_rate: '1',
          journal_lines: [
            { account_id: cost, type: 'DEBIT', net_amount: '7', description: 'Paper', contact_id: vendor },
            { account_id: cost, type: 'DEBIT', net_amount: '3', tracking_category_ids: [option] },
            { account_id: income, type: 'CREDIT', net_amount: '10' },
          ],
        },
      ],
      refused: [
        {
          item: {
            raw_data: { Unheard: 'of' },
            journal_lines: [
              { account_id: cost, type: 'DEBIT', net_amount: '1' },
              { account_id: bank, type: 'CREDIT', net_amount: '1' },
            ],
          },
          code: 'invalid-params',
          field: 'Unheard',
        },
      ],
    },
  };
}

const without = (item: Item, name: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));

/** Items that Shop takes, and what it refuses. */
export function shopSamples(): WriteSamples {
  return {
    ECOMMERCE_CUSTOMERS: {
      creates: [
        { email: 'written@mail.example' },
        {
          name: 'Mary Ann Smith',
          email: 'mary.smith@mail.example',
          phone: '+61 491 570 157',
          address: {
            ...{ street: '3 King Street', locality: 'Docks', city: 'Sydney', state: 'NSW' },
            ...{ pincode: '2000', country: 'Australia' },
          },
        },
        { name: 'Cher', raw_data: { note: 'by phone', tags: 'vip, wholesale' } },
      ],
      refused: [
        { item: { phone: '+61 491 570 158' }, code: 'invalid-params', field: 'email' },
        { item: { name: 'Kim', email: 'nobody' }, code: 'invalid-params', field: 'email' },
        { item: { name: 'Kim', raw_data: { shoe_size: 8 } }, code: 'invalid-params', field: 'shoe_size' },
      ],
    },
    ECOMMERCE_PRODUCTS: {
      creates: [
        { name: 'Brass whistle' },
        { name: 'Oak spoon', description: 'From Bendigo', status: 'ARCHIVED' },
      ],
      refused: [
        { item: { name: 'Pan', raw_data: { colour: 'red' } }, code: 'invalid-params', field: 'colour' },
        { item: { name: 'Pan', raw_data: { tags: ['vip'] } }, code: 'invalid-params', field: 'tags' },
      ],
    },
  };
}
