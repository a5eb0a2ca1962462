import { type Mutation } from '../../conformance.js';
import { type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makeCustomer, makeTaxId } from '../makers/customers.js';
import { idOf } from '../wire.js';

/** More than a page of events. */
const BUSY = 110;

export function changeCustomers(account: StripeAccount): Mutation {
  const { time: created } = account;
  const [busy, registered, moved] = account.customers.values();
  const [one, other] = account.taxIds.values();
  if (!busy || !registered || !moved || !one || !other) throw new Error('there are too few customers');
  for (let turn = 1; turn <= BUSY; turn += 1) {
    Object.assign(busy, { name: `${busy.name ?? ''}'`.slice(-60), metadata: { turn: String(turn) } });
    note(account, 'customer.updated', busy);
  }
  makeTaxId(account, registered.id, { created, value: `DE${created}` });
  moved.address = {
    city: 'Oslo',
    country: 'NO',
    line1: 'Torg 1',
    line2: null,
    postal_code: '0150',
    state: null,
  };
  Object.assign(moved, { phone: '+47 555 01 234', email: null });
  account.advance(1);
  note(account, 'customer.updated', moved);
  one.verification = { status: 'verified', verified_address: null, verified_name: null };
  note(account, 'customer.tax_id.updated', one);
  account.taxIds.remove(other.id);
  note(account, 'customer.tax_id.deleted', other);
  const made = makeCustomer(account, { created: account.time, name: 'A new one', email: 'new@example.com' });
  makeTaxId(account, made.id, { created: account.time, value: 'DE123123123' });
  const deleted = deleteCustomer(account);
  const changed = [busy, registered, moved, made].map(({ id }) => id);
  const ofTaxIds = [one, other].map(({ customer }) => idOf(customer) ?? '');
  return {
    changed: [...new Set([...changed, ...ofTaxIds])].filter((id) => id !== deleted),
    deleted: deleted === null ? [] : [deleted],
  };
}

/** The oldest without a subscription, which changes once more before. */
export function deleteCustomer(account: StripeAccount): string | null {
  const held = new Set(account.subscriptions.values().map(({ customer }) => idOf(customer)));
  const found = account.customers.values().findLast(({ id }) => !held.has(id));
  if (!found) return null;
  note(account, 'customer.updated', found);
  for (const taxId of account.taxIds.values().filter(({ customer }) => customer === found.id)) {
    account.taxIds.remove(taxId.id);
    note(account, 'customer.tax_id.deleted', taxId);
  }
  account.customers.remove(found.id);
  note(account, 'customer.deleted', found);
  return found.id;
}
