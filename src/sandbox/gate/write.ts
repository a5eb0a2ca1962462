import { createHash } from 'node:crypto';
import { badRequest, Failure } from '../failure.js';
import { header } from '../http/call.js';
import { jsonText, type Reply } from '../http/reply.js';
import { type Change, changeAccount } from '../store/change.js';
import type { ApiCall } from './platform-api.js';

interface Answered {
  readonly status: number;
  /** JSON; empty for an answer without a body. */
  readonly body: string;
}

/** The result of a write, with the answer to send. */
export interface Written extends Answered, WrittenObject {}

/** An object that was written. */
export interface WrittenObject {
  readonly kind: string;
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly marker: string | null;
}

const REPLAYED = { 'idempotent-replayed': 'true' };

/** Runs a write, alone on its account and once per idempotency key. If `work` throws, nothing is written. */
export const performWrite = (call: ApiCall, work: (change: Change) => Promise<Written>): Promise<Reply> =>
  performWrites(call, async (change) => {
    const { status, body, ...object } = await work(change);
    return { status, body, objects: [object] };
  });

/** Like `performWrite`, for any number of objects. */
export async function performWrites(
  call: ApiCall,
  work: (change: Change) => Promise<Answered & { readonly objects: readonly WrittenObject[] }>,
): Promise<Reply> {
  const { context, caller } = call;
  const { account } = caller;
  const key = context.settings.idempotency && account.idempotency ? keyOf(call) : null;
  const fingerprint = await fingerprintOf(call);
  return changeAccount(context, account.key, async (change) => {
    const known = key === null ? null : await change.recall(key);
    if (known && known.fingerprint !== fingerprint) {
      throw new Failure('key-reused', 'the Idempotency-Key was used for another request');
    }
    if (known) return answerOf(known, REPLAYED);
    const { status, body, objects } = await work(change);
    const idempotencyKey = header(call, 'idempotency-key');
    for (const object of objects) await change.written({ ...object, idempotencyKey });
    if (key !== null) await change.remember(key, { fingerprint, status, body });
    return answerOf({ status, body }, {});
  });
}

const answerOf = ({ status, body }: Answered, headers: Record<string, string>): Reply =>
  body === '' ? { status, headers, body: null } : jsonText(status, body, headers);

function keyOf(call: ApiCall): string | null {
  const key = header(call, 'idempotency-key');
  if (key === null || /^[\x21-\x7e]{1,128}$/.test(key)) return key;
  throw badRequest('Idempotency-Key', 'Idempotency-Key must be 1 to 128 printable characters');
}

async function fingerprintOf(call: ApiCall): Promise<string> {
  const hash = createHash('sha256').update(`${call.method} ${call.path} ${call.query.toString()}\n`);
  return hash.update(await call.body()).digest('hex');
}
