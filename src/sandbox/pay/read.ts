import { badRequest, Failure } from '../failure.js';
import type { ApiCall, ApiHandler } from '../gate/platform-api.js';
import { wholeNumber } from '../http/call.js';
import { json, jsonText } from '../http/reply.js';
import { type Cursor, type EventRow, positionOf, readEvents, readNewestFirst } from '../store/feeds.js';
import { findObject, type ObjectRow } from '../store/objects.js';
import { isPayKind, type PayKind } from './objects.js';

/** The kind named in the path. */
export function kindOf({ params }: ApiCall): PayKind {
  const { kind = '' } = params;
  if (isPayKind(kind)) return kind;
  throw new Failure('not-found', `there is nothing called ${kind}`);
}

/** The live object named in the path. */
async function objectOf(call: ApiCall, kind: PayKind): Promise<ObjectRow> {
  const { id = '' } = call.params;
  await call.context.locks.settled(call.caller.account.key);
  const found = await findObject(call.context.pool, call.caller.account.key, kind, id);
  if (found) return found;
  throw new Failure('not-found', `no such object: ${id}`);
}

/** One page of a kind, newest first. */
export const list: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { pool, locks } = call.context;
  const account = call.caller.account.key;
  await locks.settled(account);
  const { rows, hasMore } = await readNewestFirst(pool, account, {
    kind,
    ...commonOptions(call),
    cursor: await cursorOf(call, (id) => positionOf(pool, account, kind, id)),
    marker: call.query.get('metadata[marker]'),
  });
  const data = rows.map(({ body }) => body).join(',');
  return jsonText(200, `{"object":"list","url":"${call.path}","has_more":${hasMore},"data":[${data}]}`);
};

function commonOptions(call: ApiCall) {
  const since = call.query.get('created[gte]');
  if (since !== null && !/^\d{1,11}$/.test(since)) {
    throw badRequest('created[gte]', 'created[gte] must be Unix seconds');
  }
  return {
    limit: wholeNumber(call, 'limit', { min: 1, max: 100, otherwise: 10 }),
    createdSince: since === null ? null : new Date(Number(since) * 1000),
  };
}

async function cursorOf(
  { query }: ApiCall,
  find: (id: string) => Promise<number | null>,
): Promise<Cursor | null> {
  const older = query.get('starting_after');
  const newer = query.get('ending_before');
  if (older !== null && newer !== null) {
    throw badRequest('ending_before', 'starting_after and ending_before exclude each other');
  }
  const id = older ?? newer;
  if (id === null) return null;
  const name = older === null ? 'ending_before' : 'starting_after';
  const position = await find(id);
  if (position !== null) return { direction: older === null ? 'newer' : 'older', position };
  throw new Failure('bad-request', `no such object: ${id}`, {
    problems: [{ field: name, code: 'InvalidCursor', message: `no such object: ${id}` }],
  });
}

export const read: ApiHandler = async (call) => jsonText(200, (await objectOf(call, kindOf(call))).body);

/** The feed of changes. */
export const listEvents: ApiHandler = async (call) => {
  const { pool, locks } = call.context;
  const account = call.caller.account.key;
  await locks.settled(account);
  const { rows, hasMore } = await readEvents(pool, account, {
    ...commonOptions(call),
    cursor: await cursorOf(call, async (id) => sequenceOf(id)),
    types: [...call.query.getAll('types[]'), ...call.query.getAll('type')],
  });
  const data = rows.map(presentEvent).join(',');
  return jsonText(200, `{"object":"list","url":"${call.path}","has_more":${hasMore},"data":[${data}]}`);
};

export const readEvent: ApiHandler = async (call) => {
  const { id = '' } = call.params;
  const sequence = sequenceOf(id);
  const { rows } = await call.context.pool.query<EventRow>(
    'SELECT sequence, type, created_at, object FROM events WHERE account = $1 AND sequence = $2',
    [call.caller.account.key, sequence],
  );
  if (!rows[0]) throw new Failure('not-found', `no such event: ${id}`);
  return jsonText(200, presentEvent(rows[0]));
};

const sequenceOf = (id: string): number | null => {
  const match = /^evt_(\d{12})$/.exec(id);
  return match ? Number(match[1]) : null;
};

function presentEvent({ sequence, type, created_at, object }: EventRow): string {
  const id = `evt_${String(sequence).padStart(12, '0')}`;
  const created = Math.floor(created_at.getTime() / 1000);
  return `{"id":"${id}","object":"event","created":${created},"type":"${type}","data":{"object":${object}}}`;
}

/** The account that the token belongs to. */
export const readAccount: ApiHandler = async ({ caller: { account } }) =>
  json(200, { id: account.id, object: 'account', business_name: account.name, default_currency: 'aud' });
