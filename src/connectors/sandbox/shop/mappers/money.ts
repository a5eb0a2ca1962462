import { sum } from '../../../decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../../platform-values.js';

/** The amount of a `..._set` in the shop's own currency. */
export function amountOf(set: unknown): string | null {
  return decimalOf(shopMoney(set)?.['amount']);
}

export function currencyOf(set: unknown): string | null {
  return textOf(shopMoney(set)?.['currency_code']);
}

/** The total of the amounts under `name` in the objects of a list; zero for an empty list. */
export function totalOf(list: unknown, name: string): string | null {
  return objectsIn(list).reduce<string | null>((total, entry) => sum(total, amountOf(entry[name])), '0');
}

function shopMoney(set: unknown): Readonly<Record<string, unknown>> | null {
  return objectOf(objectOf(set)?.['shop_money']);
}
