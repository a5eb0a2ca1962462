import { type z } from 'zod';

import { item } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { checked, type Missing, oneText, type Wrong } from '../../inputs/checked.js';
import { choice, decimal, flag, itemOf, reference, text } from '../../inputs/fields.js';
import { itemShape } from '../../inputs/masters.js';
import { bodyOf, writeForm } from '../../push.js';
import { toNumber } from '../../values/json-number.js';
import { QUICKBOOKS_TITLE } from '../client.js';
import { listOfNames } from '../kinds.js';
import { changeIn, createIn, ownFields, quickbooksPush } from './resource.js';
import { listName, refTo } from './values.js';

const TYPES = { INVENTORY: 'Inventory', NON_INVENTORY: 'NonInventory', SERVICE: 'Service' } as const;

const termsWith = (max: number) =>
  itemOf({
    account_id: reference('ACCOUNTS'),
    tax_id: reference('TAX_RATES'),
    unit_price: decimal(),
    description: text(max),
  });

const items = {
  name: listName(100),
  description: itemShape.description,
  code: text(100),
  bill_item: termsWith(1000),
  invoice_item: termsWith(4000),
  raw_data: ownFields(),
};

const newItems = checked(
  itemOf(
    {
      platform_id: itemShape.platform_id,
      type: choice(['INVENTORY', 'NON_INVENTORY', 'SERVICE']),
      status: choice(['ACTIVE']),
      quantity_on_hand: decimal(),
      is_bill_item: flag(),
      is_invoice_item: flag(),
      ...items,
    },
    ['name', 'type'],
  ),
  (given, { missing, wrong }) => {
    sellingText(given, wrong);
    checkSides(given, { missing, wrong });
    if (given.type === 'INVENTORY') return checkInventory(given, missing);
    if (given.quantity_on_hand !== undefined)
      wrong(['quantity_on_hand'], 'must not be sent: only an item of the type INVENTORY has one');
  },
);

/** What is sold or bought, and by which account, is one thing in QuickBooks. */
function checkSides(
  given: z.output<typeof newItems>,
  { missing, wrong }: { readonly missing: Missing; readonly wrong: Wrong },
): void {
  for (const side of ['invoice_item', 'bill_item'] as const) {
    const [terms, is] = [given[side], given[`is_${side}`]];
    if (is === false && terms !== undefined) wrong([`is_${side}`], `must be true where there is a ${side}`);
    const isNeeded = terms !== undefined || is === true || given.type === 'INVENTORY';
    if (isNeeded && terms?.account_id === undefined) missing([side, 'account_id'], '');
  }
  if (given.invoice_item === undefined && given.bill_item === undefined)
    missing(['invoice_item', 'account_id'], ' unless there is a bill_item with its account');
}

function checkInventory(given: z.output<typeof newItems>, missing: Missing): void {
  if (given.quantity_on_hand === undefined) missing(['quantity_on_hand'], '');
  const own = { AssetAccountRef: 'the account for inventory', InvStartDate: 'the day of the quantity' };
  for (const [name, words] of Object.entries(own))
    if (given.raw_data?.[name] === undefined) missing(['raw_data', name], `: ${words}`);
}

const changedItems = checked(
  itemOf({ platform_id: text(200), status: choice(['ACTIVE', 'ARCHIVED']), ...items }, ['platform_id']),
  (given, { wrong }) => sellingText(given, wrong),
);
type ItemFields = Omit<z.output<typeof changedItems>, 'platform_id'>;

function sellingText({ description, invoice_item }: ItemFields, wrong: Wrong): void {
  const texts = { description, 'invoice_item.description': invoice_item?.description };
  oneText(texts, ['description', 'invoice_item.description'], {
    title: QUICKBOOKS_TITLE,
    wrong: (_, words) => wrong(['invoice_item', 'description'], words),
  });
}

const itemBody = (given: ItemFields): PlatformObject => ({
  Name: given.name,
  Sku: given.code,
  Active: given.status && given.status === 'ACTIVE',
  Description: given.description ?? given.invoice_item?.description,
  UnitPrice: toNumber(given.invoice_item?.unit_price),
  IncomeAccountRef: refTo(given.invoice_item?.account_id),
  SalesTaxCodeRef: refTo(given.invoice_item?.tax_id),
  PurchaseDesc: given.bill_item?.description,
  PurchaseCost: toNumber(given.bill_item?.unit_price),
  ExpenseAccountRef: refTo(given.bill_item?.account_id),
  PurchaseTaxCodeRef: refTo(given.bill_item?.tax_id),
});

/** Products and services, a list of names: what is not used any more becomes inactive. */
export const itemPush = quickbooksPush({
  definition: item,
  kinds: [listOfNames('Item')],
  create: writeForm(newItems, (given) =>
    createIn(
      'Item',
      bodyOf(given.raw_data, {
        ...itemBody(given),
        Type: TYPES[given.type],
        TrackQtyOnHand: given.type === 'INVENTORY' ? true : undefined,
        QtyOnHand: toNumber(given.quantity_on_hand),
      }),
    ),
  ),
  update: {
    ...writeForm(changedItems, (given, tools) =>
      changeIn({ entity: 'Item', id: given.platform_id }, bodyOf(given.raw_data, itemBody(given)), tools),
    ),
    readsCurrent: () => true,
  },
  subjects: [
    [/income ?account/i, 'invoice_item.account_id'],
    [/expense ?account/i, 'bill_item.account_id'],
    [/asset ?account/i, 'raw_data.AssetAccountRef'],
    [/inv ?start ?date/i, 'raw_data.InvStartDate'],
    [/qty ?on ?hand|quantity/i, 'quantity_on_hand'],
    [/sales ?tax ?code/i, 'invoice_item.tax_id'],
    [/purchase ?tax ?code/i, 'bill_item.tax_id'],
    [/purchase ?cost/i, 'bill_item.unit_price'],
    [/unit ?price/i, 'invoice_item.unit_price'],
    [/purchase ?desc/i, 'bill_item.description'],
    [/description/i, 'description'],
    [/\bsku\b/i, 'code'],
    [/\btype\b/i, 'type'],
    [/name/i, 'name'],
  ],
});
