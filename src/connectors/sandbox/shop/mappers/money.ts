import { Exact, sum } from '../../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../../values/platform-values.js';

/** The amount of a `..._set` in the shop's own currency. */
export function amountOf(set: unknown): string | null {
  return decimalOf(shopMoney(set)?.['amount']);
}

export function currencyOf(set: unknown): string | null {
  return textOf(shopMoney(set)?.['currency_code']);
}

/** The total of the amounts under `name` in the objects of a list, with all their decimals; zero for an empty list. */
export function totalOf(list: unknown, name: string): string | null {
  const amounts = objectsIn(list).map((entry) => amountOf(entry[name]));
  const total = amounts.reduce((left, right) => sum(left, right), '0');
  const decimals = amounts.map((amount) => amount?.split('.')[1]?.length ?? 0);
  return total && new Exact(total).toFixed(Math.max(0, ...decimals));
}

function shopMoney(set: unknown): Readonly<Record<string, unknown>> | null {
  return objectOf(objectOf(set)?.['shop_money']);
}
