import { type PlatformClient, type PlatformObject } from '../platform.js';
import { withContext } from '../values/platform-json.js';
import { objectOf } from '../values/platform-values.js';
import { listOf } from '../values/required-values.js';
import { SHOPIFY_TITLE } from './client.js';
import { nestedQuery, type NestedList, type ShopifyKind } from './kinds.js';
import { ask, connectionOf, unexpected } from './query.js';

/** Objects with the whole of their lists, without those that were deleted while the rest of a list was read. */
export async function completeAll(
  kind: ShopifyKind,
  client: PlatformClient,
  objects: readonly PlatformObject[],
): Promise<readonly PlatformObject[]> {
  const all: PlatformObject[] = [];
  for (const object of objects) {
    const whole = await completed(kind, client, object);
    if (whole) all.push(whole);
  }
  return all;
}

async function completed(
  kind: ShopifyKind,
  client: PlatformClient,
  object: PlatformObject,
): Promise<PlatformObject | null> {
  let whole = object;
  for (const list of kind.nested) {
    const value = list.isConnection
      ? await connected(kind, client, { list, object })
      : await wholeList(kind, client, { list, object });
    if (value === null) return null;
    whole = withContext(whole, { [list.name]: value });
  }
  return whole;
}

interface Within {
  readonly list: NestedList;
  readonly object: PlatformObject;
}

/** All pages of a connection, without where they end: cursors differ between reads. */
async function connected(
  kind: ShopifyKind,
  client: PlatformClient,
  { list, object }: Within,
): Promise<PlatformObject | null> {
  let { nodes, next } = connectionOf(object, list.name);
  while (next !== null) {
    const parent = await nodeOf(kind, client, { list, object, after: next });
    if (parent === null) return null;
    const page = connectionOf(parent, list.name);
    if (page.next === next) throw unexpected(`sent ${list.name} that continue where they began`);
    nodes = [...nodes, ...page.nodes];
    next = page.next;
  }
  return { nodes };
}

/** A plain list that may have been cut off is read again without a limit. */
async function wholeList(
  kind: ShopifyKind,
  client: PlatformClient,
  { list, object }: Within,
): Promise<readonly PlatformObject[] | null> {
  const found = listOf(SHOPIFY_TITLE, object, list.name);
  if (found.length < list.first) return found;
  const parent = await nodeOf(kind, client, { list, object });
  return parent && listOf(SHOPIFY_TITLE, parent, list.name);
}

async function nodeOf(
  kind: ShopifyKind,
  client: PlatformClient,
  { list, object, after }: Within & { readonly after?: string },
): Promise<PlatformObject | null> {
  const { data } = await ask(client, nestedQuery(kind, list), {
    id: object['id'],
    ...(after === undefined ? {} : { after }),
  });
  return objectOf(data['node']);
}
