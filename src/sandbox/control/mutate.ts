import { z } from 'zod';
import type { SandboxContext } from '../context.js';
import { json } from '../http/reply.js';
import type { Platform } from '../platform.js';
import type { Account } from '../store/accounts.js';
import { type Change, changeAccount } from '../store/change.js';
import { Random } from '../world/random.js';
import { ALTERATIONS, removeAltered, storeAltered, voidedBody } from './alter.js';
import type { ControlHandler } from './handler.js';
import { accountsOf, inputOf, platformInput } from './input.js';

const mutateInput = z.strictObject({
  account: z.string(),
  platform: platformInput.optional(),
  kind: z.string().optional(),
  share: z.number().min(0).max(1).default(0),
  deletes: z.number().int().min(0).default(0),
  voids: z.number().int().min(0).default(0),
  seed: z.number().int().default(1),
});

interface Choice {
  readonly kind: string;
  readonly id: string;
}

interface Altered extends Choice {
  readonly platform: Platform;
}

/** Objects per transaction, small enough that writers do not wait long. */
const BATCH = 500;

/** Changes a share of an account's objects, and deletes and voids some; the seed decides which. */
export const mutate: ControlHandler = async (call) => {
  const { account: id, platform, kind, share, deletes, voids, seed } = await inputOf(call, mutateInput);
  const { context } = call;
  const changed: Altered[] = [];
  const deleted: Altered[] = [];
  const voided: Altered[] = [];
  for (const account of await accountsOf(context, id, platform)) {
    const random = new Random(seed);
    const rules = ALTERATIONS[account.platform];
    const alter = (
      choices: readonly Choice[],
      list: Altered[],
      work: (change: Change, one: Choice) => Promise<void>,
    ) => alterAll({ context, account, choices, list }, work);
    const live = await candidates(context, account, { kinds: kind === undefined ? null : [kind] });
    const touched = pick(random, live, Math.round(live.length * share));
    await alter(touched, changed, async (change, one) => {
      const row = await change.find(one.kind, one.id);
      if (!row) return;
      const mark = `${seed}x${change.now.getTime().toString(36)}`;
      await storeAltered(change, account.platform, row, rules.touch(one.kind, bodyOf(row), mark));
    });
    const voidable: Choice[] = [];
    for (const [voidKind, { where }] of Object.entries(rules.voids)) {
      if (kind !== undefined && kind !== voidKind) continue;
      voidable.push(...(await candidates(context, account, { kinds: [voidKind], where })));
    }
    await alter(pick(random, voidable, voids), voided, async (change, one) => {
      const row = await change.find(one.kind, one.id);
      if (!row) return;
      const body = voidedBody(account.platform, one.kind, bodyOf(row), change.now);
      await storeAltered(change, account.platform, row, body);
    });
    const kinds = kind === undefined ? rules.deletable : [kind];
    const doomed = deletes === 0 ? [] : pick(random, await candidates(context, account, { kinds }), deletes);
    await alter(doomed, deleted, (change, one) => removeAltered(change, account.platform, one.kind, one.id));
  }
  return json(200, { changed, deleted, voided });
};

const bodyOf = ({ body }: { readonly body: string }) => JSON.parse(body) as Record<string, unknown>;

interface AlterOptions {
  readonly context: SandboxContext;
  readonly account: Account;
  readonly choices: readonly Choice[];
  readonly list: Altered[];
}

async function alterAll(
  { context, account, choices, list }: AlterOptions,
  work: (change: Change, choice: Choice) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < choices.length; start += BATCH) {
    const batch = choices.slice(start, start + BATCH);
    await changeAccount(context, account.key, async (change) => {
      for (const choice of batch) await work(change, choice);
    });
    list.push(...batch.map(({ kind, id }) => ({ platform: account.platform, kind, id })));
  }
}

/**
 * Live objects, in an order that does not depend on when they were changed. Excludes entries posted for documents:
 * they change with their documents.
 */
async function candidates(
  { pool }: SandboxContext,
  account: Account,
  { kinds, where = [] }: { readonly kinds: readonly string[] | null; readonly where?: readonly string[] },
): Promise<Choice[]> {
  const { rows } = await pool.query<Choice>(
    `SELECT kind, id FROM objects WHERE account = $1 AND deleted_at IS NULL
     AND NOT (kind = 'Journals' AND parent IS NOT NULL) AND ($2::text[] IS NULL OR kind = ANY ($2))
     AND ($3::text[] = '{}' OR EXISTS (SELECT FROM unnest($3::text[]) AS part WHERE position(part IN body) > 0))
     ORDER BY kind, position`,
    [account.key, kinds, [...where]],
  );
  return rows;
}

/** Draws up to `count` different objects. */
function pick(random: Random, choices: readonly Choice[], count: number): Choice[] {
  const pool = [...choices];
  const picked: Choice[] = [];
  while (picked.length < count && pool.length > 0) {
    const index = random.integer(0, pool.length - 1);
    const last = pool.pop();
    const one = index < pool.length ? pool[index] : last;
    if (index < pool.length && last) pool[index] = last;
    if (one) picked.push(one);
  }
  return picked;
}
