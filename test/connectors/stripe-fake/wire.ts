import { type Stripe } from 'stripe';

/** Objects as they are sent: decimals are texts, of which the library makes objects. */

export type Price = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string | null };

export type Plan = Omit<Stripe.Plan, 'amount_decimal'> & { amount_decimal: string | null };

export type InvoiceLine = Omit<Stripe.InvoiceLineItem, 'pricing' | 'quantity_decimal'> & {
  pricing: (Omit<Stripe.InvoiceLineItem.Pricing, 'unit_amount_decimal'> & Decimals) | null;
  quantity_decimal: string | null;
};

interface Decimals {
  unit_amount_decimal: string | null;
}

/** What an invoice has of its lines is added when it is sent. */
export type Invoice = Omit<Stripe.Invoice, 'lines' | 'payments'>;

export type LinkLine = Omit<Stripe.LineItem, 'price'> & { price: Price | null };

export type SubscriptionItem = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & { price: Price; plan: Plan };

export type Subscription = Omit<Stripe.Subscription, 'items'> & {
  items: Stripe.ApiList<SubscriptionItem>;
};

export interface Event {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

export const listOf = <T>(url: string, data: T[], hasMore = false): Stripe.ApiList<T> => ({
  object: 'list',
  url,
  has_more: hasMore,
  data,
});

/** The id of what is named by its id or, expanded, as it is. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}
