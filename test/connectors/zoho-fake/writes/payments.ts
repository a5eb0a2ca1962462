import { type Kept, type Payment } from '../domain.js';
import { type ZohoOrganization } from '../organization.js';
import { totalsOf } from '../totals.js';
import { type Body, dayIn, listIn, namedIn, numberIn, refuse, textIn } from './body.js';

/** A new payment, which pays no more than is open. */
export function paymentOf(
  organization: ZohoOrganization,
  kind: Payment['kind'],
  body: Body,
): Omit<Payment, keyof Kept> {
  const isCustomers = kind === 'customer';
  const { contacts, accounts, payments } = organization;
  const contact = namedIn(
    contacts.filter((one) => one.kind === kind),
    body,
    `${kind}_id`,
  );
  if (!contact) return refuse(15, `Please select a ${kind}.`);
  const amount = numberIn(body, 'amount');
  if (!amount) return refuse(15, 'amount is required');
  const [word, list] = isCustomers ? (['invoice', 'invoices'] as const) : (['bill', 'bills'] as const);
  const applied = listIn(body, list).map((part) => {
    const document = namedIn(organization.of(word), part, `${word}_id`);
    const used = numberIn(part, 'amount_applied');
    if (!document || !used) return refuse(15, `${word}_id is required`);
    if (document.contact !== contact) refuse(24016, `The ${word} is not one of this contact.`);
    if (used.greaterThan(totalsOf(document).open)) {
      refuse(24001, `The amount entered is more than the balance due of the ${word}.`);
    }
    return { id: document.id, amount: used };
  });
  const account =
    namedIn(accounts, body, isCustomers ? 'account_id' : 'paid_through_account_id') ??
    accounts.find(({ type }) => type === 'cash');
  if (!account) throw new Error('there are no accounts');
  if (!['cash', 'bank', 'credit_card'].includes(account.type)) {
    refuse(2, `Invalid value passed for ${isCustomers ? 'account_id' : 'paid_through_account_id'}`);
  }
  const rate = numberIn(body, 'exchange_rate');
  return {
    kind,
    number: String(payments.length + 1000),
    contact,
    currency: contact.currency,
    ...(rate && { rate }),
    date: dayIn(body, 'date') || organization.now.toISOString().slice(0, 10),
    mode: textIn(body, 'payment_mode', 100),
    notes: textIn(body, 'description'),
    reference: textIn(body, 'reference_number', 100),
    amount,
    applied,
    account,
  };
}

/** What it pays is settled by it. */
export function settle(organization: ZohoOrganization, { applied }: Payment): void {
  for (const { id, amount } of applied) {
    const document = organization.documents.find((one) => one.id === id);
    if (!document) continue;
    document.settled = document.settled.plus(amount);
    document.status = totalsOf(document).open.isZero() ? 'paid' : 'partially_paid';
    organization.touch(document);
  }
}
