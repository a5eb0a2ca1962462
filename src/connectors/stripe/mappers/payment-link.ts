import { type paymentLineItem, type paymentLink } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { booleanOf, currencyCodeOf, decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { idOf } from './id.js';
import { linesOf } from './lines.js';
import { amountOf } from './money.js';

/** A link at which anyone can pay, with all its lines. */
export function toPaymentLink(object: PlatformObject): UnifiedRecord<typeof paymentLink> {
  const platformId = idOf(object);
  const currency = currencyCodeOf(object['currency']);
  const active = booleanOf(object['active']);
  const lines = linesOf(object, 'line_items');
  const total = lines.reduce<string | null>((all, line) => sum(all, decimalOf(line['amount_total'])), '0');
  return {
    platformId,
    values: {
      amount: amountOf(total, currency),
      currencyId: currency,
      currencyCode: currency,
      description: null,
      link: textOf(object['url']),
      status: active === null ? null : active ? 'ACTIVE' : 'INACTIVE',
      createdAt: null,
      updatedAt: null,
    },
    lines: { lineItems: lines.map((line) => toLine(line, platformId, currency)) },
  };
}

function toLine(
  line: PlatformObject,
  linkId: string,
  currency: string | null,
): UnifiedLine<typeof paymentLineItem> {
  const price = objectOf(line['price']);
  const amount = (value: unknown) => amountOf(value, currency);
  return {
    platformId: textOf(line['id']),
    values: {
      lineItemType: 'PAYMENT_PAYMENT_LINKS',
      lineItemTypeId: linkId,
      itemId: textOf(price?.['product']),
      taxId: null,
      description: textOf(line['description']),
      quantity: decimalOf(line['quantity']),
      unitAmount: amount(price?.['unit_amount_decimal']),
      subTotal: amount(line['amount_subtotal']),
      totalDiscount: amount(line['amount_discount']),
      taxAmount: amount(line['amount_tax']),
      totalAmount: amount(line['amount_total']),
      updatedAt: null,
    },
  };
}
