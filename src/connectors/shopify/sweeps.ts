import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type IdPage, type PullOptions, type Sweep } from '../pull.js';
import { objectOf, objectsIn, textsIn } from '../values/platform-values.js';
import { idsQuery, MAX_PAGE, type ShopifyKind } from './kinds.js';
import { idsOf } from './mappers/values.js';
import { completeAll } from './nested.js';
import { ask, connectionOf, unexpected } from './query.js';

type PartsOf = (object: PlatformObject) => readonly PlatformObject[];

/** The ids of all objects of a kind, in the order of their ids. */
export const sweepOf = (kind: ShopifyKind): Sweep => ({
  kind: 'sweep',
  pages: (client, options) =>
    idPages({ ...kind, nested: [], first: MAX_PAGE }, client, options, (object) => [object]),
});

/** The same of orders, of which an app without the right to older ones sees only those of the last 60 days. */
export const sweepOfOrders = (kind: ShopifyKind): Sweep => ofOrders(sweepOf(kind));

/** The ids in a list of orders. */
export const sweepWithin = (kind: ShopifyKind, partsOf: PartsOf): Sweep =>
  ofOrders({ kind: 'sweep', pages: (client, options) => idPages(kind, client, options, partsOf) });

const ofOrders = (sweep: Sweep): Sweep => ({
  kind: 'sweep',
  pages: (client, options) => ifAllAreShown(sweep, client, options),
});

const ALL_ORDERS = 'read_all_orders';

async function* ifAllAreShown(
  sweep: Sweep,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<IdPage> {
  if (options.cursor === null) {
    const { data } = await ask(client, '{ currentAppInstallation { accessScopes { handle } } }');
    const scopes = objectOf(data['currentAppInstallation'])?.['accessScopes'];
    if (!Array.isArray(scopes)) throw unexpected('must answer with the scopes of the app');
    if (!textsIn(objectsIn(scopes).map(({ handle }) => handle)).includes(ALL_ORDERS)) {
      yield { platformIds: [], cursor: null, isPartial: true };
      return;
    }
  }
  yield* sweep.pages(client, options);
}

async function* idPages(
  kind: ShopifyKind,
  client: PlatformClient,
  { cursor }: PullOptions,
  partsOf: PartsOf,
): AsyncGenerator<IdPage> {
  const document = idsQuery(kind);
  let after = cursor;
  do {
    const { data } = await ask(client, document, { first: kind.first, after });
    const { nodes, next } = connectionOf(data, kind.name);
    const objects = await completeAll(kind, client, nodes);
    yield { platformIds: objects.flatMap(partsOf).map((part) => idsOf(part).platformId), cursor: next };
    after = next;
  } while (after !== null);
}
