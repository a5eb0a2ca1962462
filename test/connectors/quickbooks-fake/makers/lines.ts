import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import {
  type AccountLine,
  type Currency,
  type DiscountLine,
  type GroupLine,
  type ItemLine,
  type Line,
} from '../domain.js';
import { subTotalOf } from '../totals.js';
import { nth } from './kept.js';
import { accountNamed } from './settings.js';
import { lineCode } from './taxes.js';

/** Where lines are made for. */
export interface Place {
  readonly company: QuickbooksCompany;
  readonly currency: Currency;
  readonly index: number;
}

const EXPENSES = ['Office Expenses', 'Fuel', 'Miscellaneous', 'Truck'];

export const rounded = (amount: Decimal, { digits }: Currency): Decimal =>
  amount.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP);

/** What is sold or bought, with its quantity and price unless `isLump`. */
export function itemLine(
  place: Place,
  id: string,
  { isSale = true, isTaxed = false, isLump = false } = {},
): ItemLine {
  const { company, currency, index } = place;
  const number = index + Number(id);
  const items = company.shelves.Item.filter((one) => (isSale ? one.income : one.expense));
  const item = nth(items, number);
  const quantity = new Decimal(number % 5 === 0 ? '0.25' : (number % 4) + 1);
  const unitPrice = new Decimal(currency.digits === 0 ? 1200 + number : `${10 + (number % 90)}.37`);
  return {
    kind: 'item',
    id,
    item,
    account: isSale ? item.income : null,
    quantity: isLump ? null : quantity,
    unitPrice: isLump ? null : unitPrice,
    amount: rounded(isLump ? unitPrice : quantity.times(unitPrice), currency),
    description: number % 3 === 0 ? null : `${item.name} no. ${number}\nby "hand" & more`,
    gross: null,
    taxCode: lineCode(company, isTaxed),
    class: number % 4 === 1 ? nth(company.shelves.Class, number) : null,
  };
}

export function accountLine({ company, currency, index }: Place, id: string): AccountLine {
  const number = index + Number(id);
  return {
    kind: 'account',
    id,
    account: accountNamed(company, nth(EXPENSES, number)),
    amount: rounded(new Decimal(`${20 + number}.49`), currency),
    description: number % 3 === 0 ? null : `Bought for no. ${number}`,
    gross: null,
    taxCode:
      number % 5 === 0 && company.edition === 'US'
        ? null
        : lineCode(company, company.edition === 'GB' && number % 2 === 0),
    class: number % 3 === 1 ? nth(company.shelves.Class, number) : null,
  };
}

export function groupLine(place: Place, id: string): GroupLine {
  const item = place.company.shelves.Item.find(({ type }) => type === 'Group');
  if (!item) throw new Error('there is no group');
  const lines = [1, 2].map((step) => itemLine(place, String(Number(id) + step)));
  return { kind: 'group', id, item, quantity: new Decimal(1), lines };
}

export function discountLine(place: Place, lines: readonly Line[], percent: number | null): DiscountLine {
  const { company, currency } = place;
  const amount = percent === null ? new Decimal(3) : subTotalOf({ lines }).times(percent).dividedBy(100);
  return {
    kind: 'discount',
    percent: percent === null ? null : new Decimal(percent),
    amount: rounded(amount, currency),
    account: accountNamed(company, 'Discounts given'),
  };
}
