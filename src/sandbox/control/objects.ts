import { badRequest } from '../failure.js';
import { json } from '../http/reply.js';
import { isPlatform, type Platform } from '../platform.js';
import type { Account } from '../store/accounts.js';
import type { ControlCall, ControlHandler } from './handler.js';
import { accountsOf } from './input.js';

interface DumpedRow {
  readonly kind: string;
  readonly position: number;
  readonly id: string;
  readonly body: string;
  readonly modified_at: Date;
  readonly deleted_at: Date | null;
}

const BATCH = 1000;

/** Dumps every object of an account, one per line. */
export const dumpObjects: ControlHandler = async (call) => {
  const accounts = await chosenAccounts(call);
  for (const { key } of accounts) await call.context.locks.settled(key);
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, body: lines(call, accounts) };
};

async function* lines(call: ControlCall, accounts: readonly Account[]): AsyncGenerator<string> {
  const kind = call.query.get('kind');
  const withDeleted = call.query.get('include_deleted') === 'true';
  for (const account of accounts) {
    let after: Pick<DumpedRow, 'kind' | 'position'> = { kind: '', position: 0 };
    for (;;) {
      const { rows } = await call.context.pool.query<DumpedRow>(
        `SELECT kind, position, id, body, modified_at, deleted_at FROM objects
         WHERE account = $1 AND (kind, position) > ($2, $3) AND ($4::text IS NULL OR kind = $4)
         ORDER BY kind, position LIMIT ${BATCH}`,
        [account.key, after.kind, after.position, kind],
      );
      const shown = rows.filter(({ deleted_at }) => withDeleted || deleted_at === null);
      yield shown.map((row) => lineOf(account.platform, row)).join('');
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      after = last;
    }
  }
}

function lineOf(platform: Platform, { kind, id, body, modified_at, deleted_at }: DumpedRow): string {
  const head = { platform, kind, id, modified_at, deleted: deleted_at !== null };
  return `${JSON.stringify(head).slice(0, -1)},"object":${body}}\n`;
}

/** Lists accepted writes, in the order of their commits. */
export const listWrites: ControlHandler = async (call) => {
  const accounts = await chosenAccounts(call);
  for (const { key } of accounts) await call.context.locks.settled(key);
  const { rows } = await call.context.pool.query<{ account: number; at: Date; [column: string]: unknown }>(
    `SELECT account, kind, id, operation, marker, idempotency_key, written_at AS at FROM writes
     WHERE account = ANY ($1) ORDER BY account, sequence`,
    [accounts.map(({ key }) => key)],
  );
  const writes = rows.map(({ account, ...write }) => ({
    platform: accounts.find(({ key }) => key === account)?.platform,
    ...write,
  }));
  return json(200, { writes });
};

function chosenAccounts(call: ControlCall): Promise<Account[]> {
  const id = call.query.get('account');
  const platform = call.query.get('platform');
  if (id === null) throw badRequest('account', 'account is required');
  if (platform !== null && !isPlatform(platform)) throw badRequest('platform', `there is no ${platform}`);
  return accountsOf(call.context, id, platform);
}
