import { type Mutation } from '../../conformance.js';
import { DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makeInvoice } from '../makers/invoices.js';
import { type Invoice } from '../wire.js';

export function changeInvoices(account: StripeAccount): Mutation {
  const { time } = account;
  const changed = new Set<string>();
  const becomes = (invoice: Invoice | undefined, own: Partial<Invoice>, ...types: readonly string[]) => {
    if (!invoice) return;
    Object.assign(invoice, own);
    for (const type of types) note(account, `invoice.${type}`, invoice);
    changed.add(invoice.id);
  };
  const made = [1, 12, 2].map((count) => newDraft(account, count));
  const drafts = account.invoices.values().filter(({ status }) => status === 'draft');
  const [kept, sent] = drafts;
  becomes(kept, { due_date: time + 7 * DAY }, 'updated');
  if (sent) {
    const status_transitions = { ...sent.status_transitions, finalized_at: time };
    const number = `FAKE-${sent.id.slice(-4).toUpperCase()}-0002`;
    becomes(sent, { effective_at: time, number, status: 'open', status_transitions }, 'finalized', 'updated');
  }
  account.advance(1);
  const [paid, voided, lost] = account.invoices
    .values()
    .filter(({ id, status }) => status === 'open' && id !== sent?.id);
  if (paid) {
    // Outside of Stripe: there is no payment of it.
    const own = { status: 'paid', amount_paid: paid.amount_due, amount_remaining: 0 };
    becomes(paid, own, 'paid', 'updated');
  }
  becomes(voided, { status: 'void' }, 'voided');
  becomes(lost, { status: 'uncollectible' }, 'updated');
  const deleted = deleteDraft(account, [...changed, ...made]);
  return {
    changed: [...new Set([...changed, ...made])],
    deleted: deleted === null ? [] : [deleted],
  };
}

function newDraft(account: StripeAccount, count: number): string {
  const price = account.prices.values().find(({ currency }) => currency === 'usd') ?? null;
  const rate = account.taxRates.values().find(({ inclusive }) => !inclusive);
  const lines = Array.from({ length: count }, (_, index) => ({
    price,
    quantity: 1 + index,
    rates: rate ? [rate] : [],
  }));
  const customer = account.customers.values()[0]?.id ?? null;
  return makeInvoice(account, { created: account.time, currency: 'usd', customer, status: 'draft', lines })
    .id;
}

/** The oldest draft, which changes once more before. */
export function deleteDraft(account: StripeAccount, except: readonly string[] = []): string | null {
  const found = account.invoices
    .values()
    .findLast(({ id, status }) => status === 'draft' && !except.includes(id));
  if (!found) return null;
  note(account, 'invoice.updated', found);
  account.invoices.remove(found.id);
  note(account, 'invoice.deleted', found);
  return found.id;
}
