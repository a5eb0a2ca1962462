/** Fields of every Pay object. */
export interface PayObject {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A line of an invoice or of a payment link. */
export interface PayLine {
  readonly id: string;
  readonly object: 'line_item';
  readonly item: string | null;
  readonly tax_rate: string | null;
  readonly description: string | null;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_tax: number;
  readonly amount_total: number;
  readonly updated: number;
}

/** The kinds by the last part of their paths, with the `object` name of each. */
export const PAY_KINDS = {
  customers: 'customer',
  invoices: 'invoice',
  orders: 'order',
  payment_links: 'payment_link',
  payments: 'payment',
  refunds: 'refund',
  disputes: 'dispute',
  payouts: 'payout',
  balance_transactions: 'balance_transaction',
  balances: 'balance',
  items: 'item',
  tax_rates: 'tax_rate',
  subscriptions: 'subscription',
} as const;

export type PayKind = keyof typeof PAY_KINDS;

export const isPayKind = (text: string): text is PayKind => Object.hasOwn(PAY_KINDS, text);

export const listOf = (data: readonly object[]) => ({ object: 'list', has_more: false, data });
