import { badRequest, Failure } from '../failure.js';
import type { ApiCall, ApiHandler } from '../gate/platform-api.js';
import { instantOf, wholeNumber } from '../http/call.js';
import { json, jsonText } from '../http/reply.js';
import { readByChange, readDeletions } from '../store/feeds.js';
import { findByParent, findObject, type ObjectRow } from '../store/objects.js';
import { gid, isShopKind, type PartKind, SHOP_KINDS, type ShopKind, shopTime } from './objects.js';

/** The kind named in a path like `orders.json`. */
export function kindOf({ params }: ApiCall): ShopKind {
  const { kind = '' } = params;
  if (isShopKind(kind)) return kind;
  throw new Failure('not-found', `there is nothing called ${kind}`);
}

/** The live object with the number in the path. */
async function objectOf(call: ApiCall, kind: ShopKind): Promise<ObjectRow> {
  const { number = '' } = call.params;
  await call.context.locks.settled(call.caller.account.key);
  const id = gid(SHOP_KINDS[kind], number);
  const found = await findObject(call.context.pool, call.caller.account.key, kind, id);
  if (found) return found;
  throw new Failure('not-found', `there is no ${id}`);
}

/** The key of a single object in an answer. */
export const singular = (kind: ShopKind): string => kind.slice(0, -1);

/** Content of a `page_info`: where to continue, and the filters of the first page. */
interface PageInfo {
  readonly time?: string;
  readonly position: number;
  readonly since: string | null;
  readonly tag?: string | null;
}

/** One page of a kind, sorted by last change, oldest first. */
export const list: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { limit, info } = pageOptions(call, ['updated_at_min', 'tag']);
  const min = call.query.get('updated_at_min');
  const since = info ? info.since : min === null ? null : instantOf(min, 'updated_at_min').toISOString();
  const tag = info ? (info.tag ?? null) : call.query.get('tag');
  const account = call.caller.account.key;
  await call.context.locks.settled(account);
  const { rows, hasMore } = await readByChange(call.context.pool, account, {
    kind,
    limit,
    after: info?.time === undefined ? null : { time: info.time, position: info.position },
    since: since === null ? null : new Date(since),
    marker: tag,
  });
  const last = rows.at(-1);
  const next =
    hasMore && last
      ? nextLink(call, limit, { time: last.modified_at.toISOString(), position: last.position, since, tag })
      : {};
  return jsonText(200, `{"${kind}":[${rows.map(({ body }) => body).join(',')}]}`, next);
};

/** Deleted objects, oldest first. */
export const listDeletions: ApiHandler = async (call) => {
  const { limit, info } = pageOptions(call, ['since']);
  const given = call.query.get('since');
  const since = info ? info.since : given === null ? null : instantOf(given, 'since').toISOString();
  const account = call.caller.account.key;
  await call.context.locks.settled(account);
  const { rows, hasMore } = await readDeletions(call.context.pool, account, {
    limit,
    after: info?.position ?? 0,
    since: since === null ? null : new Date(since),
  });
  const last = rows.at(-1);
  const deletions = rows.map(({ kind, id, deleted_at }) => ({
    subject_type: isShopKind(kind) ? SHOP_KINDS[kind] : kind,
    subject_id: id,
    occurred_at: shopTime(deleted_at),
  }));
  const next = hasMore && last ? nextLink(call, limit, { position: last.sequence, since }) : {};
  return json(200, { deletions }, next);
};

function pageOptions(call: ApiCall, filters: readonly string[]) {
  const limit = wholeNumber(call, 'limit', { min: 1, max: 250, otherwise: 50 });
  const text = call.query.get('page_info');
  if (text === null) return { limit, info: null };
  const clash = filters.find((name) => call.query.has(name));
  if (clash !== undefined) throw badRequest(clash, `${clash} cannot stand beside page_info`);
  return { limit, info: readPageInfo(text) };
}

function readPageInfo(text: string): PageInfo {
  try {
    const info = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as PageInfo;
    const { time, position, since } = info;
    const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
    if (
      Number.isSafeInteger(position) &&
      (time === undefined || isTime(time)) &&
      (since === null || isTime(since)) &&
      (info.tag == null || typeof info.tag === 'string')
    ) {
      return info;
    }
  } catch {
    // Unreadable text gets the same error as invalid content.
  }
  throw badRequest('page_info', 'page_info is not one of this list');
}

function nextLink(call: ApiCall, limit: number, info: PageInfo): Record<string, string> {
  const url = new URL(call.path, call.origin);
  url.searchParams.set('limit', String(limit));
  url.searchParams.set('page_info', Buffer.from(JSON.stringify(info)).toString('base64url'));
  return { link: `<${url.href}>; rel="next"` };
}

export const read: ApiHandler = async (call) => {
  const kind = kindOf(call);
  return jsonText(200, `{"${singular(kind)}":${(await objectOf(call, kind)).body}}`);
};

/** Parts of one order. */
export const listPartsOfOrder =
  (kind: PartKind): ApiHandler =>
  async (call) => {
    const order = await objectOf(call, 'orders');
    const rows = await findByParent(call.context.pool, call.caller.account.key, kind, order.id);
    return jsonText(200, `{"${kind}":[${rows.map(({ body }) => body).join(',')}]}`);
  };

/** The shop that the token belongs to. */
export const readShop: ApiHandler = async ({ caller: { account } }) =>
  json(200, { shop: { id: account.id, name: account.name, currency: 'AUD', utc_offset: '+10:00' } });
