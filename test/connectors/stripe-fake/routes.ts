import { ACCOUNT_ID, BEGINNING, DAY, type StripeAccount } from './account.js';
import { missing, Refusal, unknownUrl } from './errors.js';
import { expand, type Fields, rendered } from './expand.js';
import { type List, type ListPage, LISTS, pageOf, pageOfParts } from './lists.js';
import { taxIdsOf } from './parts.js';
import { type Query } from './query.js';

export interface Call {
  readonly account: StripeAccount;
  readonly query: Query;
}

/** What is at a path below /v1. */
export function contentAt(path: readonly string[], call: Call): Fields {
  const body = found(path, call);
  for (const one of call.query.texts('expand')) expand(call.account, body, one);
  return body;
}

function found(path: readonly string[], call: Call): Fields {
  const [name = '', id, part, ...more] = path;
  const { account, query } = call;
  if (path.length === 1 && (name === 'account' || name === 'balance')) {
    query.allow(['expand']);
    return name === 'account' ? accountObject() : balanceOf(account);
  }
  const list = LISTS.get(name);
  if (!list || more.length > 0) throw unknown(path);
  if (id === undefined) return envelope(`/v1/${name}`, pageOf(account, list, query), account);
  const object = one(list, id, call);
  if (part === undefined) {
    query.allow(['expand']);
    return rendered(account, object);
  }
  const parts = partsOf(account, { name, id, part });
  if (!parts) throw unknown(path);
  return envelope(`/v1/${path.join('/')}`, pageOfParts(parts, query, list.what), account);
}

const unknown = (path: readonly string[]): Refusal => new Refusal(unknownUrl('GET', `/v1/${path.join('/')}`));

function one({ what, shelf, remembers }: List, id: string, { account }: Call): object {
  const kept = shelf(account).find(id);
  if (!kept || (kept.deleted && !remembers)) throw new Refusal(missing(what, id));
  return kept.deleted ? { id, object: what, deleted: true } : kept.value;
}

interface Parts {
  readonly name: string;
  readonly id: string;
  readonly part: string;
}

function partsOf(account: StripeAccount, { name, id, part }: Parts): readonly { id: string }[] | null {
  if (name === 'invoices' && part === 'lines') return account.invoiceLines.get(id) ?? [];
  if (name === 'payment_links' && part === 'line_items') return account.linkLines.get(id) ?? [];
  return name === 'customers' && part === 'tax_ids' ? taxIdsOf(account, id).data : null;
}

const envelope = (url: string, { data, hasMore }: ListPage, account: StripeAccount): Fields => ({
  object: 'list',
  url,
  has_more: hasMore,
  data: data.map((object) => rendered(account, object)),
});

function balanceOf({ available, pending }: StripeAccount): Fields {
  const amounts = (of: ReadonlyMap<string, number>) =>
    [...of].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }));
  return { object: 'balance', available: amounts(available), livemode: true, pending: amounts(pending) };
}

const accountObject = (): Fields => ({
  id: ACCOUNT_ID,
  object: 'account',
  business_profile: { mcc: null, name: 'Fake Works', support_email: null, url: null },
  business_type: 'company',
  charges_enabled: true,
  country: 'US',
  created: BEGINNING - 400 * DAY,
  default_currency: 'usd',
  details_submitted: true,
  email: 'owner@fake-works.example',
  metadata: {},
  payouts_enabled: true,
  settings: { dashboard: { display_name: 'Fake Works', timezone: 'Etc/UTC' } },
  type: 'standard',
});
