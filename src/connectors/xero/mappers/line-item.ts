import { type lineItem } from '../../../records/index.js';
import { type LINE_ITEM_TYPES } from '../../../records/value-sets.js';
import { type Lookups, type PlatformObject, type UnifiedLine } from '../../connector.js';
import { difference, product, sum } from '../../decimals.js';
import { arrayOf, decimalOf, objectOf, textOf } from '../../platform-values.js';
import { ACCOUNTS_BY_CODE, idByCode, ITEMS_BY_CODE } from './codes.js';
import { trackingIdsOf } from './tracking-ids.js';

interface LineParent {
  readonly type: (typeof LINE_ITEM_TYPES)[number];
  readonly platformId: string;
}

interface DocumentLines {
  readonly lines: readonly UnifiedLine<typeof lineItem>[];
  /** An account's or item's code stands for one that we do not have yet. */
  readonly unresolved: boolean;
}

/** The lines of an order, invoice, bill or credit note, in its order. */
export function toLines(document: PlatformObject, parent: LineParent, lookups: Lookups): DocumentLines {
  const amountTypes = textOf(document['LineAmountTypes']);
  const lines = (arrayOf(document['LineItems']) ?? [])
    .map(objectOf)
    .filter((object) => object !== null)
    .map((object) => toLine(object, { amountTypes, parent, lookups }));
  const unresolved = lines.some(
    ({ values: { accountCode, accountId, itemCode, itemId } }) =>
      (accountCode !== null && accountId === null) || (itemCode !== null && itemId === null),
  );
  return { lines, unresolved };
}

interface LineContext {
  readonly amountTypes: string | null;
  readonly parent: LineParent;
  readonly lookups: Lookups;
}

function toLine(object: PlatformObject, context: LineContext): UnifiedLine<typeof lineItem> {
  const accountCode = textOf(object['AccountCode']);
  const itemCode = textOf(object['ItemCode']);
  const taxAmount = decimalOf(object['TaxAmount']);
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
      taxId: textOf(object['TaxType']),
      description: textOf(object['Description']),
      quantity: decimalOf(object['Quantity']),
      unitAmount: decimalOf(object['UnitAmount']),
      ...amountsOf(decimalOf(object['LineAmount']), taxAmount, context.amountTypes),
      taxAmount,
      totalDiscount: discountOf(object),
      trackingCategoryIds: trackingIdsOf(object['Tracking']),
    },
  };
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
