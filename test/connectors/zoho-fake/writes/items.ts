import { Decimal } from 'decimal.js';

import { type Item, type Kept } from '../domain.js';
import { type ZohoOrganization } from '../organization.js';
import { type Body, namedIn, numberIn, refuse, textIn } from './body.js';

const KINDS = ['sales', 'purchases', 'sales_and_purchases', 'inventory'] as const;
const PRODUCTS = ['goods', 'service'] as const;

/** The fields of an item that a request has, over those that there are. */
export function itemOf(
  { items, accounts, taxes }: ZohoOrganization,
  body: Body,
  before: Item | null,
): Omit<Item, keyof Kept> {
  const name = textIn(body, 'name', 100);
  if (name === '') refuse(15, 'name is required');
  if (items.some((one) => one !== before && one.name.toLowerCase() === name.toLowerCase())) {
    refuse(1001, `The item name ${name} already exists.`);
  }
  const price = numberIn(body, 'rate');
  if (!price) return refuse(15, 'rate is required');
  const sku = 'sku' in body ? textIn(body, 'sku') : (before?.sku ?? '');
  if (sku !== '' && items.some((one) => one !== before && one.sku === sku)) {
    refuse(1001, `An item with the SKU ${sku} already exists.`);
  }
  const given = textIn(body, 'item_type') || (before?.kind ?? 'sales');
  const kind = KINDS.find((one) => one === given) ?? refuse(2, 'Invalid value passed for item_type');
  const made = textIn(body, 'product_type') || (before?.product ?? 'goods');
  const product = PRODUCTS.find((one) => one === made) ?? refuse(2, 'Invalid value passed for product_type');
  const [usualIncome, usualOutlay] = ['income', 'expense'].map((type) =>
    accounts.find((one) => one.type === type),
  );
  const outlay = namedIn(accounts, body, 'purchase_account_id') ?? before?.outlay;
  if (kind !== 'sales' && !outlay) refuse(15, 'purchase_account_id is required');
  if (kind === 'inventory' && !before && !namedIn(accounts, body, 'inventory_account_id')) {
    refuse(15, 'inventory_account_id is required');
  }
  const income = namedIn(accounts, body, 'account_id') ?? before?.income ?? usualIncome;
  if (!income || !usualOutlay) throw new Error('there are no accounts');
  return {
    name,
    description: 'description' in body ? textIn(body, 'description', 2000) : (before?.description ?? ''),
    sku,
    kind,
    product,
    price,
    cost: numberIn(body, 'purchase_rate') ?? before?.cost ?? new Decimal(0),
    remark: 'purchase_description' in body ? textIn(body, 'purchase_description') : before?.remark,
    stock: kind === 'inventory' ? (before?.stock ?? new Decimal(0)) : null,
    income,
    outlay: outlay ?? usualOutlay,
    tax: namedIn(taxes, body, 'tax_id') ?? before?.tax ?? null,
    isActive: before?.isActive ?? true,
  };
}
