import { type lineItem } from '../../../../records/index.js';
import { type LINE_ITEM_TYPES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedLine } from '../../../pull.js';
import { decimalOf, objectsIn, textOf, textsIn } from '../../../values/platform-values.js';
import { amountOf } from './amount.js';
import { type Codes } from './codes.js';

interface LineParent {
  readonly type: (typeof LINE_ITEM_TYPES)[number];
  readonly platformId: string;
}

/** The lines of a document, in order. */
export function toLines(
  document: PlatformObject,
  parent: LineParent,
  codes: Codes,
): UnifiedLine<typeof lineItem>[] {
  return objectsIn(document['Lines']).map((line) => toLine(line, parent, codes));
}

function toLine(line: PlatformObject, parent: LineParent, codes: Codes): UnifiedLine<typeof lineItem> {
  return {
    platformId: textOf(line['LineGuid']),
    values: {
      lineItemType: parent.type,
      lineItemTypeId: parent.platformId,
      accountId: codes.account(line['AccountNumber']),
      accountCode: textOf(line['AccountNumber']),
      itemId: codes.product(line['ProductSku']),
      itemCode: textOf(line['ProductSku']),
      taxId: codes.tax(line['TaxCode']),
      projectId: textOf(line['Project']),
      description: textOf(line['Text']),
      quantity: decimalOf(line['Quantity']),
      unitAmount: amountOf(line['UnitPrice']),
      subTotal: amountOf(line['LineTotal']),
      totalDiscount: amountOf(line['Discount']),
      taxAmount: amountOf(line['Tax']),
      totalAmount: amountOf(line['Gross']),
      trackingCategoryIds: textsIn(line['DimensionOptions']),
    },
  };
}
