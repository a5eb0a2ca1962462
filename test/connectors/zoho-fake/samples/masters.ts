import { type Pick, type WriteSamples } from '../../write-samples.js';

export function masterSamples(pick: Pick): WriteSamples {
  const income = pick('ACCOUNTS', ({ name }) => name === 'Sales abroad');
  const outlay = pick('ACCOUNTS', ({ name }) => name === 'Office Supplies');
  const tax_id = pick('TAX_RATES', ({ name }) => name === 'City tax');
  const euro = pick('CURRENCIES', ({ code }) => code === 'EUR');
  return {
    ACCOUNTS: {
      creates: [
        { name: 'Odd jobs', category: 'INCOME' },
        {
          name: 'Roses sold',
          description: 'By the dozen',
          nominal_code: '4100',
          category: 'INCOME',
          sub_category: 'INCOME',
          status: 'ACTIVE',
          currency_id: euro,
          parent_account_id: income,
        },
      ],
      refused: [
        {
          item: { name: 'Office Supplies', category: 'EXPENSE' },
          code: 'record-already-exists',
          field: 'name',
        },
        {
          item: { name: 'Other', nominal_code: 'A1', category: 'EXPENSE' },
          code: 'record-already-exists',
          field: 'nominal_code',
        },
      ],
    },
    ITEMS: {
      creates: [
        { name: 'Hour', type: 'SERVICE', invoice_item: { unit_price: '80' } },
        { name: 'Paper', type: 'NON_INVENTORY', bill_item: { account_id: outlay, unit_price: '3.20' } },
        {
          name: 'Roses',
          type: 'NON_INVENTORY',
          status: 'ACTIVE',
          code: 'R-1',
          is_bill_item: true,
          is_invoice_item: true,
          description: 'Red, a dozen',
          invoice_item: { account_id: income, unit_price: '12.345', tax_id, description: 'Red, a dozen' },
          bill_item: { account_id: outlay, unit_price: '7.005', description: 'From the market' },
        },
      ],
      update: {
        item: { description: 'Red, two dozen', invoice_item: { unit_price: '24.5' } },
        also: ['invoiceItemDescription', 'invoiceItemUnitPrice'],
      },
      refused: [
        {
          item: { name: 'Item 001', type: 'SERVICE', invoice_item: { unit_price: '1' } },
          code: 'record-already-exists',
          field: 'name',
        },
        {
          item: { name: 'Other', code: 'SKU-2', type: 'SERVICE', invoice_item: { unit_price: '1' } },
          code: 'record-already-exists',
          field: 'code',
        },
      ],
    },
    CONTACTS: {
      creates: [
        { name: 'Bare, Inc.', contact_type: 'CUSTOMER' },
        {
          name: 'Rosa Roses',
          contact_type: 'VENDOR',
          status: 'ACTIVE',
          contact_name: 'Rosa Maria Luxemburg',
          currency_id: euro,
          email: 'rosa@example.com',
          website: 'www.example.com/roses',
          telephone: '+49 30 1',
          mobile: '+49 170 2',
          fax: '+49 30 3',
          addresses: [
            {
              type: 'BILLING',
              street: 'Rosenweg 1, Hinterhof',
              locality: 'Hinterhof',
              city: 'Berlin',
              state: 'BE',
              pincode: '10115',
              country: 'Germany',
            },
            { type: 'SHIPPING', street: 'Am Hafen 7', city: 'Hamburg' },
          ],
        },
      ],
      update: {
        item: { name: 'Rosa Roses & Co.', email: 'info@example.com', fax: '+49 30 4' },
        also: ['externalLinks', 'phoneNumbers'],
      },
      refused: [
        {
          item: { name: 'Contact 3', contact_type: 'VENDOR' },
          code: 'record-already-exists',
          field: 'name',
        },
        {
          item: { name: 'Odd mail', contact_type: 'VENDOR', email: 'nobody' },
          code: 'invalid-params',
          field: 'email',
        },
      ],
    },
  };
}
