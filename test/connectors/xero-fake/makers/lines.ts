import { Decimal } from 'decimal.js';

import {
  type Account,
  type Item,
  type Line,
  type TaxRate,
  type TrackingCategory,
  type TradeDocument,
} from '../domain.js';
import { guidOf, indexes, nth } from './kept.js';
import { FIRST_UNUSED_ITEM } from './items.js';

export interface LineSources {
  readonly items: readonly Item[];
  readonly accounts: readonly Account[];
  readonly taxRates: readonly TaxRate[];
  readonly trackingCategories: readonly TrackingCategory[];
}

interface LineOptions {
  /** Of the document, for the ids of its lines. */
  readonly name: string;
  readonly index: number;
  readonly isSale: boolean;
  readonly amountTypes: TradeDocument['amountTypes'];
  readonly hasDiscounts: boolean;
  /** Digits after the point that unit prices have. */
  readonly priceDigits: number;
}

const QUANTITIES = ['1', '2', '12', '0.5', '1000'];

export function makeLines(sources: LineSources, options: LineOptions): Line[] {
  return indexes(1 + (options.index % 4)).map((place) => makeLine(sources, options, place));
}

function makeLine(sources: LineSources, options: LineOptions, place: number): Line {
  const { name, index, isSale, amountTypes, priceDigits } = options;
  const turn = index + place;
  const taxed = sources.taxRates.find(({ id }) => id === (isSale ? 'OUTPUT2' : 'INPUT2'));
  const untaxed = sources.taxRates.find(({ id }) => id === 'NONE');
  const booked = sources.accounts.filter(({ code }) =>
    (isSale ? ['200', '260'] : ['310', '400', '453', '469']).includes(code ?? ''),
  );
  const item = place % 2 === 0 ? nth(sources.items.slice(0, FIRST_UNUSED_ITEM), turn) : null;
  const price = item && (isSale ? item.sale : item.purchase);
  const isTaxed = amountTypes !== 'NoTax' && turn % 5 !== 2;
  const taxRate = (isTaxed ? taxed : untaxed) ?? nth(sources.taxRates, 0);
  const quantity = new Decimal(nth(QUANTITIES, turn));
  const unitPrice = (price?.unitPrice ?? new Decimal(`${turn}.25`)).toDecimalPlaces(priceDigits);
  const discount = options.hasDiscounts ? discountFor(turn) : null;
  const full = quantity.times(unitPrice);
  const reduced = !discount
    ? full
    : 'rate' in discount
      ? full.times(new Decimal(100).minus(discount.rate)).dividedBy(100)
      : full.minus(discount.amount);
  return {
    id: guidOf(`${name} line ${place}`),
    description: `Line ${place} of ${name}`,
    quantity,
    unitPrice,
    item,
    account: price?.account ?? nth(booked, turn),
    taxRate,
    discount,
    ...withTax(reduced.toDecimalPlaces(2), new Decimal(taxRate.rate), amountTypes),
    tags: sources.trackingCategories.slice(0, turn % 3).map((category) => ({
      category,
      option: nth(category.options, turn),
    })),
  };
}

function discountFor(turn: number): Line['discount'] {
  if (turn % 6 === 1) return { rate: new Decimal('12.5') };
  return turn % 6 === 4 ? { amount: new Decimal('0.1') } : null;
}

export function withTax(
  amount: Decimal,
  rate: Decimal,
  amountTypes: TradeDocument['amountTypes'],
): Pick<Line, 'net' | 'tax'> {
  if (amountTypes === 'NoTax') return { net: amount, tax: new Decimal(0) };
  if (amountTypes === 'Exclusive')
    return { net: amount, tax: amount.times(rate).dividedBy(100).toDecimalPlaces(2) };
  const tax = amount.times(rate).dividedBy(rate.plus(100)).toDecimalPlaces(2);
  return { net: amount.minus(tax), tax };
}
