import { type Mutation } from '../../conformance.js';
import { type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makePrice, makeProduct, makeTaxRate } from '../makers/catalogue.js';
import { idOf } from '../wire.js';

type Product = ReturnType<typeof makeProduct>;

function edit(account: StripeAccount, product: Product, own: Partial<Product>): void {
  Object.assign(product, own, { updated: account.time });
  note(account, 'product.updated', product);
}

export function changeProducts(account: StripeAccount): Mutation {
  const priced = account.products.values().filter(({ default_price }) => default_price !== null);
  const [renamed, archived, repriced, ofPrice, plain] = priced;
  if (!renamed || !archived || !repriced || !ofPrice || !plain) throw new Error('there are too few products');
  const price = account.prices.get(idOf(ofPrice.default_price));
  if (!price) throw new Error('the product has no price');
  edit(account, renamed, { name: `${renamed.name}, renamed` });
  edit(account, archived, { active: !archived.active });
  edit(account, plain, { description: null });
  account.advance(1);
  const { time: created } = account;
  const next = makePrice(account, repriced.id, { created, currency: 'kwd', unit_amount_decimal: '1.5' });
  edit(account, repriced, { default_price: next.id });
  // Its product is not said to have changed.
  price.nickname = `Since ${created}`;
  note(account, 'price.updated', price);
  const made = makeProduct(account, { created, name: 'A new one' });
  const other = makeProduct(account, { created, name: 'A new one without a price' });
  const first = makePrice(account, made.id, { created, currency: 'eur', unit_amount_decimal: '4200' });
  edit(account, made, { default_price: first.id });
  const deleted = deleteProduct(account, other.id);
  return {
    changed: [renamed, archived, repriced, ofPrice, plain, made, other].map(({ id }) => id),
    deleted: deleted === null ? [] : [deleted],
  };
}

/** One that never had a price: no other can be deleted. */
export function deleteProduct(account: StripeAccount, except?: string): string | null {
  const priced = new Set(account.prices.values().map(({ product }) => idOf(product)));
  const found = account.products.values().findLast(({ id }) => id !== except && !priced.has(id));
  if (!found) return null;
  edit(account, found, { description: 'To be deleted' });
  account.products.remove(found.id);
  note(account, 'product.deleted', found);
  return found.id;
}

export function archiveProduct(account: StripeAccount): string | null {
  const found = account.products.values().find(({ active }) => active);
  if (!found) return null;
  edit(account, found, { active: false });
  return found.id;
}

export function restoreProduct(account: StripeAccount, id: string): void {
  const found = account.products.get(id);
  if (found) edit(account, found, { active: true });
}

export function changeTaxRates(account: StripeAccount): Mutation {
  const [renamed, described, switched] = account.taxRates.values();
  if (!renamed || !described || !switched) throw new Error('there are too few tax rates');
  renamed.display_name = `${renamed.display_name} II`;
  described.description = described.description === null ? 'Described' : null;
  switched.active = !switched.active;
  for (const rate of [renamed, described, switched]) note(account, 'tax_rate.updated', rate);
  account.advance(1);
  const made = makeTaxRate(account, { created: account.time, display_name: 'New tax', percentage: 12.5 });
  return { changed: [renamed, described, switched, made].map(({ id }) => id), deleted: [] };
}
