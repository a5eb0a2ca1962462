import { type lineItem } from '../../../records/index.js';
import { type LINE_ITEM_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedLine } from '../../pull.js';
import {
  absolute,
  difference,
  isPositive,
  isZero,
  product,
  proportional,
  sum,
} from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { ACCOUNTS_BY_CODE, idByCode, ITEMS_BY_CODE } from './codes.js';
import { trackingIdsOf } from './tracking-ids.js';

interface LineParent {
  readonly type: (typeof LINE_ITEM_TYPES)[number];
  readonly platformId: string;
}

export interface DocumentLines {
  readonly lines: readonly UnifiedLine<typeof lineItem>[];
  /** Discount on the document, without tax like those on its lines. */
  readonly totalDiscount: string | null;
  /** Whether the code of an account or item is not stored yet. */
  readonly unresolved: boolean;
}

/** The lines of an order, invoice, bill or credit note, in order. */
export function toLines(document: PlatformObject, parent: LineParent, lookups: Lookups): DocumentLines {
  const amountTypes = textOf(document['LineAmountTypes']);
  const objects = objectsIn(document['LineItems']);
  const shares = sharesByTax(objects);
  const lines = objects.map((object) => toLine(object, { amountTypes, shares, parent, lookups }));
  const unresolved = lines.some(
    ({ values: { accountCode, accountId, itemCode, itemId } }) =>
      (accountCode !== null && accountId === null) || (itemCode !== null && itemId === null),
  );
  const given = decimalOf(document['TotalDiscount']);
  const isWithTax = given !== null && amountTypes === 'Inclusive';
  return { lines, unresolved, totalDiscount: isWithTax ? discountOfLines(lines, objects) : given };
}

/** Null if the discount of a line is unknown. */
function discountOfLines(
  lines: readonly UnifiedLine<typeof lineItem>[],
  objects: readonly PlatformObject[],
): string | null {
  return lines.reduce<string | null>((total, { values: { totalDiscount = null } }, index) => {
    const hasNone = totalDiscount === null && !hasDiscount(objects[index] ?? {});
    return hasNone ? total : sum(total, totalDiscount);
  }, '0');
}

/** An amount without its tax, and the same amount with it. */
interface Share {
  readonly part: string;
  readonly whole: string;
}

/** Null where an amount of the line is unknown. */
type LineShare = { readonly [Amount in keyof Share]: string | null };

/** Xero rounds the tax of both lines to cents. */
const ROUNDED_OFF = '0.01';

/** The share of each tax type, from its largest line: rounding to cents matters least there. */
function sharesByTax(objects: readonly PlatformObject[]): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>();
  for (const object of objects) {
    const taxId = textOf(object['TaxType']);
    const whole = decimalOf(object['LineAmount']);
    const part = difference(whole, decimalOf(object['TaxAmount']));
    if (taxId === null || whole === null || part === null || isZero(whole)) continue;
    const known = shares.get(taxId)?.whole ?? '0';
    if (isPositive(difference(absolute(whole), absolute(known)))) shares.set(taxId, { part, whole });
  }
  return shares.set('NONE', { part: '1', whole: '1' });
}

/**
 * A line of nothing, or of fewer cents than its price, after a discount or for part of a unit, does not show the tax in
 * that price: the largest line with the same tax does, unless the tax of a line of some cents was changed by hand.
 */
function shareOf(object: PlatformObject, own: LineShare, largest: Share | undefined): LineShare {
  if (!largest) return own;
  if (isZero(own.whole)) return largest;
  if (!isDiscounted(object) && !isPartOfUnit(object)) return own;
  const rounding = difference(own.part, proportional(own.whole, largest.part, largest.whole));
  const isRounded = rounding !== null && !isPositive(difference(absolute(rounding), ROUNDED_OFF));
  return isRounded ? largest : own;
}

interface LineContext {
  readonly amountTypes: string | null;
  readonly shares: ReadonlyMap<string, Share>;
  readonly parent: LineParent;
  readonly lookups: Lookups;
}

function toLine(object: PlatformObject, context: LineContext): UnifiedLine<typeof lineItem> {
  const accountCode = textOf(object['AccountCode']);
  const itemCode = textOf(object['ItemCode']);
  const quantity = decimalOf(object['Quantity']);
  const unitAmount = decimalOf(object['UnitAmount']);
  const lineAmount = decimalOf(object['LineAmount']);
  const taxAmount = decimalOf(object['TaxAmount']);
  const amounts = amountsOf(lineAmount, taxAmount, context.amountTypes);
  const isInclusive = context.amountTypes === 'Inclusive';
  const taxId = textOf(object['TaxType']);
  const share = shareOf(
    object,
    { part: amounts.subTotal, whole: lineAmount },
    context.shares.get(taxId ?? ''),
  );
  const withoutTax = (amount: string | null) =>
    isInclusive ? proportional(amount, share.part, share.whole) : amount;
  return {
    platformId: textOf(object['LineItemID']),
    values: {
      lineItemType: context.parent.type,
      lineItemTypeId: context.parent.platformId,
      accountId: textOf(object['AccountID']) ?? idByCode(ACCOUNTS_BY_CODE, accountCode, context.lookups),
      accountCode,
      itemId:
        textOf(objectOf(object['Item'])?.['ItemID']) ?? idByCode(ITEMS_BY_CODE, itemCode, context.lookups),
      itemCode,
      taxId,
      description: textOf(object['Description']),
      quantity,
      unitAmount: withoutTax(unitAmount),
      ...amounts,
      taxAmount,
      totalDiscount: withoutTax(discountOf(object, difference(product(quantity, unitAmount), lineAmount))),
      trackingCategoryIds: trackingIdsOf(object['Tracking']),
    },
  };
}

interface LineAmounts {
  readonly subTotal: string | null;
  readonly totalAmount: string | null;
}

/** Line amounts include tax or not, depending on the document. */
function amountsOf(
  lineAmount: string | null,
  taxAmount: string | null,
  amountTypes: string | null,
): LineAmounts {
  switch (amountTypes) {
    case 'Inclusive':
      return { subTotal: difference(lineAmount, taxAmount), totalAmount: lineAmount };
    case 'NoTax':
      return { subTotal: lineAmount, totalAmount: sum(lineAmount, taxAmount ?? '0') };
    case 'Exclusive':
    // Xero's default.
    case null:
      return { subTotal: lineAmount, totalAmount: sum(lineAmount, taxAmount) };
    default:
      return { subTotal: null, totalAmount: null };
  }
}

const hasDiscount = (object: PlatformObject): boolean =>
  ['DiscountAmount', 'DiscountRate'].some((name) => decimalOf(object[name]) !== null);

/** Whether a discount takes something off. */
const isDiscounted = (object: PlatformObject): boolean =>
  ['DiscountAmount', 'DiscountRate'].some((name) => isPositive(absolute(decimalOf(object[name]))));

const isPartOfUnit = (object: PlatformObject): boolean =>
  isPositive(difference('1', absolute(decimalOf(object['Quantity']))));

/** The discount of a line. For a discount rate Xero sends no amount, and rounds the discounted line amount. */
function discountOf(object: PlatformObject, takenOff: string | null): string | null {
  const amount = decimalOf(object['DiscountAmount']);
  const rate = decimalOf(object['DiscountRate']);
  // A rate of zero takes nothing off, whatever the rounding suggests.
  const hasRate = rate !== null && !isZero(rate);
  if (hasRate) return amount === null || isZero(amount) ? takenOff : amount;
  return amount ?? (rate === null ? null : '0');
}
