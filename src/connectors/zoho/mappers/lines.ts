import { type lineItem } from '../../../records/index.js';
import { type LINE_ITEM_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine } from '../../pull.js';
import { difference, isZero, opposite, proportional, sum } from '../../values/decimals.js';
import { arrayOf, decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { tagIdsOf } from './values.js';

interface LineParent {
  readonly type: (typeof LINE_ITEM_TYPES)[number];
  readonly platformId: string;
}

/** The lines of a document, and one for each amount beside them: what makes up the total is in lines. */
export const toLines = (document: PlatformObject, parent: LineParent): UnifiedLine<typeof lineItem>[] => [
  ...objectsIn(document['line_items']).map((line) => toLine(line, document, parent)),
  ...besideLines(document, parent),
];

/** Amounts are without tax, also where prices include it. */
function toLine(
  line: PlatformObject,
  document: PlatformObject,
  parent: LineParent,
): UnifiedLine<typeof lineItem> {
  const subTotal = decimalOf(line['item_total']);
  const taxAmount = lineTaxOf(line, document);
  const price = decimalOf(line['rate']);
  const isGross = document['is_inclusive_tax'] === true;
  const gross = decimalOf(line['item_total_inclusive_of_tax']) ?? sum(subTotal, taxAmount);
  return {
    platformId: textOf(line['line_item_id']),
    values: {
      lineItemType: parent.type,
      lineItemTypeId: parent.platformId,
      accountId: textOf(line['account_id']),
      itemId: textOf(line['item_id']),
      projectId: textOf(line['project_id']),
      taxId: textOf(line['tax_id']),
      description: textOf(line['description']) ?? textOf(line['name']),
      quantity: decimalOf(line['quantity']),
      unitAmount: isGross ? proportional(price, subTotal, gross) : price,
      subTotal,
      taxAmount,
      totalAmount: sum(subTotal, taxAmount),
      totalDiscount: lineDiscountOf(line),
      trackingCategoryIds: tagIdsOf(line),
    },
  };
}

/** The tax of a line; null where it has one and neither says how much nor its total with and without it. */
function lineTaxOf(line: PlatformObject, document: PlatformObject): string | null {
  const own = decimalOf(line['tax_amount']);
  if (own !== null) return own;
  const taxes = objectsIn(line['line_item_taxes']);
  if (taxes.length > 0) {
    return taxes.reduce<string | null>((total, tax) => sum(total, decimalOf(tax['tax_amount'])), '0');
  }
  if (textOf(line['tax_id']) === null || isZero(decimalOf(line['tax_percentage']))) return '0';
  const [net, gross] = [decimalOf(line['item_total']), decimalOf(line['item_total_inclusive_of_tax'])];
  // A total that is not told may be zero. And a discount on the whole takes some of the tax off, which no line shows.
  return isZero(gross) || isWhole(document) ? null : difference(gross, net);
}

/** The tax of all lines and of what is beside them; null if a line does not say it. */
export const taxOfLines = (document: PlatformObject): string | null =>
  (arrayOf(document['line_items']) ? objectsIn(document['line_items']) : [null]).reduce<string | null>(
    (total, line) => sum(total, line && lineTaxOf(line, document)),
    decimalOf(document['shipping_charge_tax']) ?? '0',
  );

/** A discount is told as an amount, or as zero. */
const lineDiscountOf = (line: PlatformObject): string | null =>
  decimalOf(line['discount_amount']) ?? (isZero(decimalOf(line['discount'])) ? '0' : null);

/** Whether the discount is one of the whole document. */
const isWhole = (document: PlatformObject): boolean => document['discount_type'] === 'entity_level';

/** What the discounts of a document take off. */
export const discountOf = (document: PlatformObject): string | null =>
  isWhole(document)
    ? decimalOf(document['discount_total'])
    : objectsIn(document['line_items']).reduce<string | null>(
        (total, line) => sum(total, lineDiscountOf(line)),
        '0',
      );

interface Beside {
  readonly description: string;
  readonly accountId: string | null;
  readonly subTotal: string | null;
  readonly taxAmount: string | null;
}

function besideLines(document: PlatformObject, parent: LineParent): UnifiedLine<typeof lineItem>[] {
  const besides: readonly Beside[] = [
    {
      description: 'Discount',
      accountId: textOf(document['discount_account_id']),
      subTotal: isWhole(document) ? opposite(decimalOf(document['discount_total'])) : null,
      taxAmount: '0',
    },
    {
      description: 'Shipping charge',
      accountId: textOf(document['shipping_charge_account_id']),
      subTotal:
        decimalOf(document['shipping_charge_exclusive_of_tax']) ?? decimalOf(document['shipping_charge']),
      taxAmount: decimalOf(document['shipping_charge_tax']) ?? '0',
    },
    {
      description: textOf(document['adjustment_description']) ?? 'Adjustment',
      accountId: textOf(document['adjustment_account_id']),
      subTotal: decimalOf(document['adjustment']),
      taxAmount: '0',
    },
    {
      description: 'Rounding',
      accountId: null,
      subTotal: decimalOf(document['roundoff_value']),
      taxAmount: '0',
    },
  ];
  return besides
    .filter(({ subTotal }) => subTotal !== null && !isZero(subTotal))
    .map(({ taxAmount, subTotal, ...beside }) => ({
      platformId: null,
      values: {
        lineItemType: parent.type,
        lineItemTypeId: parent.platformId,
        ...beside,
        subTotal,
        taxAmount,
        totalAmount: sum(subTotal, taxAmount),
        trackingCategoryIds: [],
      },
    }));
}
