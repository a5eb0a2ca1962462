import { type StripeAccount } from './account.js';
import { idOf, type Invoice, type InvoiceLine, listOf, type Subscription } from './wire.js';

type Fields = Record<string, unknown>;

const EMBEDDED = 10;

/** An object as events show it: in the version of 2024-06-20, whatever the version of a call is. */
export function oldShape(account: StripeAccount, object: { readonly id: string }): object {
  const copy = structuredClone(object) as unknown as Fields & { readonly id: string };
  switch (copy['object']) {
    case 'payment_intent':
      return without(
        { ...copy, invoice: account.invoiceOf(copy.id) },
        'customer_account',
        'allowed_payment_method_types',
        'excluded_payment_method_types',
        'managed_payments',
        'payment_record',
      );
    case 'charge':
      return {
        ...copy,
        invoice: account.invoiceOf(idOf(copy['payment_intent'] as string | null) ?? copy.id),
      };
    case 'subscription':
      return oldSubscription(copy as unknown as Subscription);
    case 'invoice':
      return oldInvoice(account, copy as unknown as Invoice);
    case 'product':
      return without(copy, 'tax_details');
    case 'customer':
    case 'tax_id':
    case 'refund':
      return without(copy, 'customer_account');
    default:
      return copy;
  }
}

/** The period was that of the whole subscription. */
function oldSubscription(subscription: Subscription): object {
  const [first] = subscription.items.data;
  const data = subscription.items.data.map((item) =>
    without(item, 'current_period_start', 'current_period_end', 'current_trial'),
  );
  return {
    ...without(
      subscription,
      'billing_mode',
      'billing_schedules',
      'customer_account',
      'managed_payments',
      'items',
    ),
    current_period_start: first?.current_period_start,
    current_period_end: first?.current_period_end,
    discount: null,
    items: { ...subscription.items, data, total_count: data.length },
    plan: first?.plan ?? null,
    quantity: first?.quantity ?? null,
  };
}

function oldInvoice(account: StripeAccount, invoice: Invoice): object {
  const lines = account.invoiceLines.get(invoice.id) ?? [];
  const shown = lines.slice(0, EMBEDDED).map(oldLine);
  const payment = account.invoicePayments.values().find((one) => one.invoice === invoice.id)?.payment;
  return {
    ...without(invoice, 'amount_overpaid', 'customer_account', 'parent', 'total_taxes'),
    charge: idOf(payment?.charge),
    discount: null,
    lines: {
      ...listOf(`/v1/invoices/${invoice.id}/lines`, shown, lines.length > EMBEDDED),
      total_count: lines.length,
    },
    paid: invoice.status === 'paid',
    paid_out_of_band: false,
    payment_intent: idOf(payment?.payment_intent),
    quote: null,
    subscription: null,
    tax: invoice.total_taxes?.reduce((sum, { amount }) => sum + amount, 0) ?? null,
    total_tax_amounts: oldTaxes(invoice.total_taxes),
  };
}

function oldLine(line: InvoiceLine): object {
  const { pricing } = line;
  return {
    ...without(line, 'parent', 'pricing', 'quantity_decimal', 'subtotal', 'taxes'),
    amount_excluding_tax: line.amount,
    price: pricing && {
      id: pricing.price_details?.price,
      object: 'price',
      product: pricing.price_details?.product,
      unit_amount_decimal: pricing.unit_amount_decimal,
    },
    proration: false,
    tax_amounts: oldTaxes(line.taxes),
    tax_rates: [],
    type: 'invoiceitem',
    unit_amount_excluding_tax: pricing?.unit_amount_decimal ?? null,
  };
}

const oldTaxes = (taxes: InvoiceLine['taxes'] | Invoice['total_taxes']): object[] =>
  (taxes ?? []).map((tax) => ({
    amount: tax.amount,
    inclusive: tax.tax_behavior === 'inclusive',
    tax_rate: tax.tax_rate_details?.tax_rate,
    taxability_reason: tax.taxability_reason,
    taxable_amount: tax.taxable_amount,
  }));

function without(object: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
