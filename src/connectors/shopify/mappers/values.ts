import { type PlatformObject } from '../../platform.js';
import { sum } from '../../values/decimals.js';
import { idsOfGid } from '../../values/gid.js';
import { decimalOf, objectOf, objectsIn } from '../../values/platform-values.js';
import { SHOPIFY_TITLE } from '../client.js';

/** Readers of Shopify's values, and the fields that they read. */

export const idsOf = (object: PlatformObject) => idsOfGid(SHOPIFY_TITLE, object);

/** An amount in the currency of the shop, beside which Shopify has that of the customer. */
export const MONEY = '{ shopMoney { amount } }';

/** Reads a `MONEY` exactly: amounts are decimals in text. */
export const moneyOf = (bag: unknown): string | null =>
  decimalOf(objectOf(objectOf(bag)?.['shopMoney'])?.['amount']);

/** Fields read by `taxOf` and `discountOf`. */
export const TAXED = `taxLines { title priceSet ${MONEY} }`;
export const DISCOUNTED = `discountAllocations { allocatedAmountSet ${MONEY} }`;

/** The taxes of a line. */
export const taxOf = (line: PlatformObject): string | null => totalOf(line['taxLines'], 'priceSet');

/** The discounts of a line, its share of those on the whole order included. */
export const discountOf = (line: PlatformObject): string | null =>
  totalOf(line['discountAllocations'], 'allocatedAmountSet');

function totalOf(list: unknown, name: string): string | null {
  if (!Array.isArray(list)) return null;
  return objectsIn(list).reduce<string | null>((total, one) => sum(total, moneyOf(one[name])), '0');
}
