import { type paymentLineItem } from '../../../../records/index.js';
import { type PAYMENT_LINE_ITEM_TYPES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedLine } from '../../../pull.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../../values/platform-values.js';
import { unexpectedAnswer } from '../../../values/required-values.js';
import { PAY_TITLE } from '../client.js';
import { instantOfSeconds } from '../../../values/times.js';
import { amountOf } from './minor-units.js';

interface LineParent {
  readonly type: (typeof PAYMENT_LINE_ITEM_TYPES)[number];
  readonly platformId: string;
  readonly currency: string | null;
}

/** The lines of an invoice or a payment link. Throws for a truncated list: Pay has no way to request the rest. */
export function toLines(list: unknown, parent: LineParent): UnifiedLine<typeof paymentLineItem>[] {
  const lines = objectOf(list);
  if (lines?.['has_more'] === true)
    throw unexpectedAnswer(PAY_TITLE, `truncated the lines of ${parent.platformId}`);
  return objectsIn(lines?.['data']).map((line) => toLine(line, parent));
}

function toLine(line: PlatformObject, parent: LineParent): UnifiedLine<typeof paymentLineItem> {
  const amount = (name: string) => amountOf(line[name], parent.currency);
  return {
    platformId: textOf(line['id']),
    values: {
      lineItemType: parent.type,
      lineItemTypeId: parent.platformId,
      itemId: textOf(line['item']),
      taxId: textOf(line['tax_rate']),
      description: textOf(line['description']),
      quantity: decimalOf(line['quantity']),
      unitAmount: amount('unit_amount'),
      subTotal: amount('amount_subtotal'),
      totalDiscount: amount('amount_discount'),
      taxAmount: amount('amount_tax'),
      totalAmount: amount('amount_total'),
      updatedAt: instantOfSeconds(line['updated']),
    },
  };
}
