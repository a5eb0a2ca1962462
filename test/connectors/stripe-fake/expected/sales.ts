import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type StripeAccount } from '../account.js';
import { idOf } from '../wire.js';
import { amountOf, currencyOf, lineRecord, record, sumOf, textOf, timeOf } from './values.js';

export const linksOf = ({ links, linkLines }: StripeAccount): UnifiedRecord[] =>
  links.values().map(({ id, currency, url, active }) => {
    const lines = linkLines.get(id) ?? [];
    const values = {
      amount: amountOf(sumOf(lines.map(({ amount_total: amount }) => ({ amount }))), currency),
      ...currencyOf(currency),
      description: null,
      link: url,
      status: active ? 'ACTIVE' : 'INACTIVE',
      createdAt: null,
      updatedAt: null,
    };
    const lineItems = lines.map((line) => {
      const amount = (minor: number | string | null) => amountOf(minor, line.currency);
      return lineRecord(line.id, {
        lineItemType: 'PAYMENT_PAYMENT_LINKS',
        lineItemTypeId: id,
        itemId: idOf(line.price?.product),
        taxId: null,
        description: line.description,
        quantity: textOf(line.quantity),
        unitAmount: amount(line.price?.unit_amount_decimal ?? null),
        subTotal: amount(line.amount_subtotal),
        totalDiscount: amount(line.amount_discount),
        taxAmount: amount(line.amount_tax),
        totalAmount: amount(line.amount_total),
        updatedAt: null,
      });
    });
    return record(id, values, { lineItems });
  });

export const subscriptionsOf = ({ subscriptions, paymentMethods }: StripeAccount): UnifiedRecord[] =>
  subscriptions.values().map((subscription) => {
    const [first] = subscription.items.data;
    const method = paymentMethods.get(idOf(subscription.default_payment_method));
    return record(subscription.id, {
      description: subscription.description,
      ...currencyOf(subscription.currency),
      status: subscription.status.toUpperCase(),
      contactId: idOf(subscription.customer),
      paymentMethod: method?.type.toUpperCase() ?? null,
      currentStart: timeOf(first?.current_period_start),
      currentEnd: timeOf(first?.current_period_end),
      expireBy: timeOf(subscription.cancel_at),
      createdAt: timeOf(subscription.created),
    });
  });
