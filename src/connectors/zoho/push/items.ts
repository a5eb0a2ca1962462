import { type z } from 'zod';

import { item } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { checked, type Missing, oneText, type Wrong } from '../../inputs/checked.js';
import { choice, decimal, flag, itemOf, name, reference, text } from '../../inputs/fields.js';
import { itemShape } from '../../inputs/masters.js';
import { bodyOf, writeForm } from '../../push.js';
import { toNumber } from '../../values/json-number.js';
import { ZOHO_TITLE } from '../client.js';
import { ITEMS } from '../resources.js';
import { changeIn, createIn, isStatusAlone, statusIn, zohoPush } from './resource.js';
import { ownFields, unsent } from './values.js';

const PRODUCTS = { INVENTORY: 'goods', NON_INVENTORY: 'goods', SERVICE: 'service' } as const;

const terms = { account_id: reference('ACCOUNTS'), unit_price: decimal(), description: text(2000) };
const items = {
  name: name(100),
  description: text(2000),
  code: itemShape.code,
  bill_item: itemOf({
    ...terms,
    tax_id: unsent('Zoho Books has one tax of an item, that of the invoice item'),
  }),
  invoice_item: itemOf({ ...terms, tax_id: reference('TAX_RATES') }),
  quantity_on_hand: unsent('Zoho Books has it by location: send locations in raw_data'),
  raw_data: ownFields('item_id'),
};

const newItems = checked(
  itemOf(
    {
      platform_id: itemShape.platform_id,
      type: choice(['INVENTORY', 'NON_INVENTORY', 'SERVICE']),
      status: choice(['ACTIVE']),
      is_bill_item: flag(),
      is_invoice_item: flag(),
      ...items,
    },
    ['name', 'type'],
  ),
  (given, { missing, wrong }) => {
    sellingText(given, wrong);
    checkSides(given, { missing, wrong });
    if (given.type === 'INVENTORY' && given.raw_data?.['inventory_account_id'] === undefined)
      missing(['raw_data', 'inventory_account_id'], ': the account for stock');
  },
);

/** Zoho wants the price of what is sold, and the account of what is bought. */
function checkSides(
  given: z.output<typeof newItems>,
  { missing, wrong }: { readonly missing: Missing; readonly wrong: Wrong },
): void {
  for (const side of ['invoice_item', 'bill_item'] as const) {
    const [itsTerms, is] = [given[side], given[`is_${side}`]];
    if (is === false && itsTerms !== undefined)
      wrong([`is_${side}`], `must be true where there is a ${side}`);
    if (itsTerms === undefined && is !== true && given.type !== 'INVENTORY') continue;
    const needed = side === 'invoice_item' ? 'unit_price' : 'account_id';
    if (itsTerms?.[needed] === undefined) missing([side, needed], '');
  }
  if (given.invoice_item === undefined && given.bill_item === undefined)
    missing(['invoice_item', 'unit_price'], ' unless there is a bill_item with its account');
}

const changedItems = checked(
  itemOf({ platform_id: text(200), status: choice(['ACTIVE', 'ARCHIVED']), ...items }, ['platform_id']),
  (given, { wrong }) => {
    sellingText(given, wrong);
    if (given.status !== undefined && !isStatusAlone(given))
      wrong(['status'], 'must be the only change: Zoho Books has a call of its own for it');
  },
);
type ItemFields = Omit<z.output<typeof changedItems>, 'platform_id'>;

function sellingText({ description, invoice_item }: ItemFields, wrong: Wrong): void {
  const texts = { description, 'invoice_item.description': invoice_item?.description };
  oneText(texts, ['description', 'invoice_item.description'], {
    title: ZOHO_TITLE,
    wrong: (_, words) => wrong(['invoice_item', 'description'], words),
  });
}

const itemBody = (given: ItemFields): PlatformObject => ({
  name: given.name,
  sku: given.code,
  description: given.description ?? given.invoice_item?.description,
  rate: toNumber(given.invoice_item?.unit_price),
  account_id: given.invoice_item?.account_id,
  tax_id: given.invoice_item?.tax_id,
  purchase_description: given.bill_item?.description,
  // A text, by Zoho's own description.
  purchase_rate: given.bill_item?.unit_price,
  purchase_account_id: given.bill_item?.account_id,
});

function kindOf({ type, invoice_item, bill_item }: z.output<typeof newItems>): string {
  if (type === 'INVENTORY') return 'inventory';
  if (bill_item === undefined) return 'sales';
  return invoice_item === undefined ? 'purchases' : 'sales_and_purchases';
}

/** What an item is, where it is now bought or sold, too. */
function widenedKind({ invoice_item, bill_item }: ItemFields, kind: unknown): string | undefined {
  const added = kind === 'sales' ? bill_item : kind === 'purchases' ? invoice_item : undefined;
  return added && 'sales_and_purchases';
}

/** Products and services. No field is both free for us to set and searchable. */
export const itemPush = zohoPush({
  definition: item,
  list: ITEMS,
  create: writeForm(newItems, (given) =>
    createIn(
      ITEMS,
      bodyOf(given.raw_data, {
        ...itemBody(given),
        // Also of what is only bought.
        rate: toNumber(given.invoice_item?.unit_price ?? '0'),
        item_type: kindOf(given),
        product_type: PRODUCTS[given.type],
      }),
    ),
  ),
  update: {
    ...writeForm(changedItems, (given, { current }) => {
      const { platform_id: id, status } = given;
      if (status !== undefined) return statusIn(ITEMS, id, status === 'ACTIVE' ? 'active' : 'inactive');
      const { name: own = current?.['name'], rate = current?.['rate'], ...changed } = itemBody(given);
      const item_type = widenedKind(given, current?.['item_type']);
      return changeIn(ITEMS, id, bodyOf(given.raw_data, { name: own, rate, ...changed, item_type }));
    }),
    readsCurrent: ({ status }) => status === undefined,
  },
  subjects: [
    [/inventory[_ ]?account/i, 'raw_data.inventory_account_id'],
    [/purchase[_ ]?account/i, 'bill_item.account_id'],
    [/purchase[_ ]?(rate|price)|cost price/i, 'bill_item.unit_price'],
    [/purchase[_ ]?description/i, 'bill_item.description'],
    [/account/i, 'invoice_item.account_id'],
    [/tax/i, 'invoice_item.tax_id'],
    [/\bsku\b/i, 'code'],
    [/\brate\b|price/i, 'invoice_item.unit_price'],
    [/description/i, 'description'],
    [/item[_ ]type|product[_ ]type/i, 'type'],
    [/name|\bitem\b/i, 'name'],
  ],
});
