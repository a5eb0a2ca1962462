import { type lineItem } from '../../../records/index.js';
import { type LINE_ITEM_TYPES } from '../../../records/value-sets.js';
import { type Lookups, type PlatformObject, type UnifiedLine } from '../../connector.js';
import { difference, product, sum } from '../../decimals.js';
import { arrayOf, decimalOf, objectOf, textOf } from '../../values.js';

export interface LineParent {
  readonly type: (typeof LINE_ITEM_TYPES)[number];
  readonly platformId: string;
}

export interface DocumentLines {
  readonly lines: readonly UnifiedLine<typeof lineItem>[];
  /** An account code stands for an account that we do not have yet. */
  readonly unresolved: boolean;
}

/** The lines of an invoice or credit note, in its order. */
export function toLines(document: PlatformObject, parent: LineParent, lookups: Lookups): DocumentLines {
  const amountTypes = textOf(document['LineAmountTypes']);
  const lines = (arrayOf(document['LineItems']) ?? [])
    .map(objectOf)
    .filter((object) => object !== null)
    .map((object) => toLine(object, { amountTypes, parent, lookups }));
  const unresolved = lines.some(({ values }) => values.accountCode !== null && values.accountId === null);
  return { lines, unresolved };
}

interface LineContext {
  readonly amountTypes: string | null;
  readonly parent: LineParent;
  readonly lookups: Lookups;
}

function toLine(object: PlatformObject, context: LineContext): UnifiedLine<typeof lineItem> {
  const accountCode = textOf(object['AccountCode']);
  const taxAmount = decimalOf(object['TaxAmount']);
  return {
    platformId: textOf(object['LineItemID']),
    values: {
      lineItemType: context.parent.type,
      lineItemTypeId: context.parent.platformId,
      accountId: textOf(object['AccountID']) ?? accountIdBy(accountCode, context.lookups),
      accountCode,
      itemId: textOf(objectOf(object['Item'])?.['ItemID']),
      itemCode: textOf(object['ItemCode']),
      taxId: textOf(object['TaxType']),
      description: textOf(object['Description']),
      quantity: decimalOf(object['Quantity']),
      unitAmount: decimalOf(object['UnitAmount']),
      ...amountsOf(decimalOf(object['LineAmount']), taxAmount, context.amountTypes),
      taxAmount,
      totalDiscount: discountOf(object),
      trackingCategoryIds: trackingIdsOf(object),
    },
  };
}

function accountIdBy(code: string | null, lookups: Lookups): string | null {
  return code === null ? null : lookups.platformIdOf('ACCOUNTS', 'nominalCode', code);
}

interface LineAmounts {
  readonly subTotal: string | null;
  readonly totalAmount: string | null;
}

/** A line's amount is with or without tax, as its document says. */
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
    // Xero's own default.
    case null:
      return { subTotal: lineAmount, totalAmount: sum(lineAmount, taxAmount) };
    default:
      return { subTotal: null, totalAmount: null };
  }
}

function discountOf(object: PlatformObject): string | null {
  const amount = decimalOf(object['DiscountAmount']);
  if (amount !== null) return amount;
  const rate = decimalOf(object['DiscountRate']);
  return product(decimalOf(object['Quantity']), decimalOf(object['UnitAmount']), rate, '0.01');
}

/** The option is what the line is tagged with; the category is all that some answers name. */
function trackingIdsOf(object: PlatformObject): string[] {
  return (arrayOf(object['Tracking']) ?? [])
    .map(objectOf)
    .map((tracking) => textOf(tracking?.['TrackingOptionID']) ?? textOf(tracking?.['TrackingCategoryID']))
    .filter((id) => id !== null);
}
