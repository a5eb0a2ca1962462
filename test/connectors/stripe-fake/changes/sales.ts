import { type Mutation } from '../../conformance.js';
import { DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makePaymentMethod } from '../makers/methods.js';
import { linkLine, makeLink } from '../makers/links.js';
import { makeSubscription } from '../makers/subscriptions.js';
import { type Subscription } from '../wire.js';

export function changeLinks(account: StripeAccount): Mutation {
  const [switched, other, longer] = account.links.values();
  if (!switched || !other || !longer) throw new Error('there are too few links');
  for (const link of [switched, other]) link.active = !link.active;
  const lines = account.linkLines.get(longer.id) ?? [];
  const [first] = lines;
  if (first) lines.push({ ...first, id: account.newId('li'), quantity: 9 });
  for (const link of [switched, other, longer]) note(account, 'payment_link.updated', link);
  account.advance(1);
  const price = account.prices.values().find(({ currency }) => currency === 'usd') ?? null;
  const line = linkLine({ price, currency: 'usd', quantity: 4 });
  const made = makeLink(account, {
    made: account.time,
    currency: 'usd',
    lines: Array<typeof line>(12).fill(line),
  });
  return { changed: [switched, other, longer, made].map(({ id }) => id), deleted: [] };
}

export function changeSubscriptions(account: StripeAccount): Mutation {
  const { time } = account;
  const changed = new Set<string>();
  const change = (from: string, own: Partial<Subscription>, type: string): Subscription | undefined => {
    const found = account.subscriptions
      .values()
      .find(({ id, status }) => status === from && !changed.has(id));
    if (!found) return undefined;
    Object.assign(found, own);
    const [first] = found.items.data;
    if (first && type === 'updated') {
      Object.assign(first, { current_period_start: time, current_period_end: time + 30 * DAY });
    }
    note(account, `customer.subscription.${type}`, found);
    changed.add(found.id);
    return found;
  };
  change('trialing', { status: 'active', trial_end: time }, 'updated');
  change('past_due', { status: 'canceled', canceled_at: time, ended_at: time }, 'deleted');
  change('unpaid', { cancel_at: time + 90 * DAY, description: 'To end' }, 'updated');
  account.advance(1);
  const method = makePaymentMethod(account.newId('pm'), { type: 'sepa_debit', created: time });
  account.paymentMethods.add(method, time);
  change('paused', { status: 'active', default_payment_method: method.id }, 'updated');
  const prices = account.prices.values().filter(({ recurring }) => recurring !== null);
  const made = makeSubscription(account, {
    created: account.time,
    currency: 'eur',
    customer: account.customers.values()[0]?.id ?? '',
    status: 'trialing',
    prices: prices.slice(0, 2),
  });
  return { changed: [...changed, made.id], deleted: [] };
}
