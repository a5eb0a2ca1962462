import { type lineItem } from '../../../records/index.js';
import { type LINE_ITEM_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine } from '../../pull.js';
import { difference, isZero, opposite, sum } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { markedId } from '../kinds.js';
import { refOf } from './values.js';

interface LineParent {
  readonly type: (typeof LINE_ITEM_TYPES)[number];
  readonly platformId: string;
  /** What comes back counts negative. */
  readonly isNegative?: boolean;
}

/** The lines of a document. Bundles are replaced by what is in them, and subtotals left out. */
export function toLines(document: PlatformObject, parent: LineParent): UnifiedLine<typeof lineItem>[] {
  const isUntaxed = isZero(taxOf(document) ?? '0');
  return linesIn(document).map((line) => toLine(line, { document, parent, isUntaxed }));
}

const linesIn = (whole: PlatformObject): PlatformObject[] =>
  objectsIn(whole['Line']).flatMap((line) => {
    if (line['DetailType'] === 'SubTotalLineDetail') return [];
    const bundle = objectOf(line['GroupLineDetail']);
    return bundle ? linesIn(bundle) : [line];
  });

/** The tax of a document; null if it says nothing of taxes. */
export const taxOf = (document: PlatformObject): string | null =>
  decimalOf(objectOf(document['TxnTaxDetail'])?.['TotalTax']);

/** What the discount lines of a document take off. */
export const discountOf = (document: PlatformObject): string | null =>
  linesIn(document)
    .filter(({ DetailType }) => DetailType === 'DiscountLineDetail')
    .reduce<string | null>((total, { Amount }) => sum(total, decimalOf(Amount)), '0');

interface LineContext {
  readonly document: PlatformObject;
  readonly parent: LineParent;
  readonly isUntaxed: boolean;
}

/** Amounts are without tax, also where prices include it. A discount is a line that takes something off. */
function toLine(
  line: PlatformObject,
  { document, parent, isUntaxed }: LineContext,
): UnifiedLine<typeof lineItem> {
  const type = textOf(line['DetailType']) ?? '';
  const detail = objectOf(line[type]) ?? {};
  const given = decimalOf(line['Amount']);
  const amount = type === 'DiscountLineDetail' ? opposite(given) : given;
  const taxId = refOf(detail['TaxCodeRef']);
  const gross = decimalOf(detail['TaxInclusiveAmt']);
  const tax =
    given === null
      ? null
      : gross !== null
        ? difference(gross, given)
        : (decimalOf(detail['TaxAmount']) ?? (isUntaxed || taxId === 'NON' ? '0' : null));
  const itemId = refOf(detail['ItemRef']);
  const signed = (value: string | null) => (parent.isNegative ? opposite(value) : value);
  return {
    platformId: null,
    values: {
      lineItemType: parent.type,
      lineItemTypeId: parent.platformId,
      accountId:
        refOf(detail['AccountRef']) ?? refOf(detail['ItemAccountRef']) ?? refOf(detail['DiscountAccountRef']),
      // Shipping has a word in place of an item's Id.
      itemId: /^\d+$/.test(itemId ?? '') ? itemId : null,
      taxId,
      description: textOf(line['Description']),
      quantity: decimalOf(detail['Qty']),
      unitAmount: decimalOf(detail['UnitPrice']),
      subTotal: signed(amount),
      taxAmount: signed(tax),
      totalAmount: signed(sum(amount, tax)),
      totalDiscount: decimalOf(detail['DiscountAmt']),
      trackingCategoryIds: trackingIdsOf(detail, document),
    },
  };
}

/** The class and the location of a line, or else of its document. */
export function trackingIdsOf(detail: PlatformObject, document: PlatformObject): string[] {
  return ['Class', 'Department'].flatMap((entity) => {
    const id = refOf(detail[`${entity}Ref`]) ?? refOf(document[`${entity}Ref`]);
    return id === null ? [] : [markedId(entity, id)];
  });
}
