import { type Records } from '../../pulls.js';
import { type Pick, type WriteSamples } from '../../write-samples.js';

export function masterSamples(pick: Pick, living: Records): WriteSamples {
  const nameOf = (dataModel: string, id: string) =>
    (living.get(dataModel)?.find(({ platformId }) => platformId === id)?.values as { readonly name: string })
      .name;
  const account = (wanted: string) => pick('ACCOUNTS', ({ name }) => name === wanted);
  const sales = account('Sales of Product Income');
  const cost = account('Cost of Goods Sold');
  const taken = pick('ITEMS', ({ name }) => name === 'Pump');
  const tax_id = pick('TAX_RATES', ({ name }) => name === 'California');
  const sold = { account_id: sales, unit_price: '35.123', description: 'As sold', tax_id };
  const bought = { account_id: cost, unit_price: '12.5', description: 'As bought', tax_id };
  const service = { name: 'Pruning', type: 'SERVICE', invoice_item: { account_id: sales } };
  return {
    ACCOUNTS: {
      creates: [
        { name: 'Consulting', category: 'INCOME' },
        {
          name: 'Delivery van',
          nominal_code: '1500',
          description: 'White',
          category: 'ASSET',
          sub_category: 'Vehicles',
          status: 'ACTIVE',
        },
        {
          name: 'Yen account',
          category: 'BANK',
          currency_id: pick('CURRENCIES', ({ code }) => code === 'JPY'),
        },
        { name: 'Seeds', category: 'INCOME', parent_account_id: sales },
      ],
      refused: [
        {
          item: { name: nameOf('ACCOUNTS', sales), category: 'INCOME' },
          code: 'record-already-exists',
          field: 'name',
        },
        {
          item: { name: 'Odd', category: 'EXPENSE', parent_account_id: sales },
          code: 'invalid-params',
          field: 'parent_account_id',
        },
        {
          item: {
            name: 'Odd',
            sub_category: 'Vehicles',
            raw_data: { AccountType: 'Bank' },
          },
          code: 'invalid-params',
          field: 'sub_category',
        },
        {
          item: { name: 'Long', category: 'EXPENSE', nominal_code: '12345678' },
          code: 'invalid-params',
          field: 'nominal_code',
        },
      ],
    },
    ITEMS: {
      creates: [
        service,
        {
          name: 'Sprinkler',
          code: 'SPR-1',
          description: 'As sold',
          type: 'INVENTORY',
          status: 'ACTIVE',
          quantity_on_hand: '12.5',
          is_invoice_item: true,
          invoice_item: sold,
          is_bill_item: true,
          bill_item: bought,
          raw_data: { AssetAccountRef: { value: account('Inventory Asset') }, InvStartDate: '2026-01-01' },
        },
        { name: 'Gravel', type: 'NON_INVENTORY', invoice_item: sold, bill_item: bought },
      ],
      update: {
        item: { code: 'GRV-2', description: 'Finest', invoice_item: { unit_price: '40' } },
        also: ['invoiceItemUnitPrice', 'invoiceItemDescription'],
      },
      refused: [
        {
          item: { ...service, name: nameOf('ITEMS', taken) },
          code: 'record-already-exists',
          field: 'name',
        },
        {
          item: { ...service, name: 'Odd', invoice_item: { account_id: cost } },
          code: 'invalid-params',
          field: 'invoice_item.account_id',
        },
      ],
    },
  };
}
