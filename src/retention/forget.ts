import type pg from 'pg';

import type { Retention } from '../config/retention.js';
import { keptAlive, withClient } from '../db/pool/client.js';
import type { Database } from '../db/database.js';
import { organisationScope } from '../db/scope.js';
import type { FileStore } from '../files/file-store.js';

interface ForgetOptions {
  readonly database: Database;
  /** Only the owner may delete this data. */
  readonly ownerUrl: string;
  readonly files: FileStore;
  readonly retention: Retention;
}

/** How much was removed; for the change log: months, and rows outside of them. */
type Forgotten = { readonly [Kind in keyof Retention | 'authorizations']: number };

/** Maximum rows per transaction: others wait for it. */
const TOGETHER = 500;
/** Maximum transactions per kind and run; the next run removes the rest. */
const MAX_ROUNDS = 40;
/** Files of a run that cannot be removed, after which it tries no more. */
const MAX_FAILED = 20;
const MONTHS_AHEAD = 3;

/**
 * Creates the change log's next monthly partitions, and deletes expired data. A failed deletion, such as of files in an
 * unavailable bucket, does not block the rest: the first failure is thrown at the end.
 */
export function forgetOld(options: ForgetOptions): Promise<Forgotten> {
  const { ownerUrl, retention } = options;
  // Syncs that are due wait for this run.
  return withClient(keptAlive(ownerUrl), async (owner) => {
    await owner.query('SELECT svc_ensure_change_partitions($1)', [MONTHS_AHEAD]);
    const call = async (name: string, ...values: readonly number[]): Promise<number> => {
      const places = values.map((_, index) => `$${index + 1}`).join(', ');
      const { rows } = await owner.query<{ count: string }>(`SELECT ${name}(${places}) AS count`, [
        ...values,
      ]);
      return Number(rows[0]?.count ?? 0);
    };
    const inRoundsOf = (name: string, days: number) => inRounds(days, () => call(name, days, TOGETHER));
    const failures: unknown[] = [];
    const tried = (work: Promise<number>) => work.catch((error: unknown) => (failures.push(error), 0));
    const forgotten = {
      changes: retention.changes > 0 ? await tried(call('svc_forget_changes', retention.changes)) : 0,
      syncs: await tried(inRoundsOf('svc_forget_syncs', retention.syncs)),
      uploads: await tried(inRoundsOf('svc_forget_uploads', retention.uploads)),
      files: await tried(forgetFiles(owner, options)),
      audit: await tried(inRoundsOf('svc_forget_audit_events', retention.audit)),
      deliveries: await tried(inRoundsOf('svc_forget_deliveries', retention.deliveries)),
      authorizations: await tried(call('svc_forget_authorizations')),
    };
    if (failures.length > 0) throw failures[0];
    return forgotten;
  });
}

/** Whether a run hit the maximum of a kind, so that more is left. */
export const isMoreLeft = (forgotten: Forgotten): boolean =>
  Object.values(forgotten).some((count) => count >= TOGETHER * MAX_ROUNDS);

async function inRounds(days: number, round: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let rounds = 0; days > 0 && rounds < MAX_ROUNDS; rounds += 1) {
    const removed = await round();
    sum += removed;
    if (removed < TOGETHER) break;
  }
  return sum;
}

/**
 * Deletes the file first: a row without it is found again, and until then the file is fetched anew when asked for. One
 * that cannot be deleted keeps its row, and others behind it go nevertheless; too many mean that the store is away. The
 * first failure is thrown at the end.
 */
async function forgetFiles(owner: pg.Client, { database, files, retention }: ForgetOptions): Promise<number> {
  const failures = new Map<string, unknown>();
  const removed = await inRounds(retention.files, async () => {
    const { rows } = await owner.query<ExpiredFile>('SELECT * FROM svc_files_to_forget($1, $2)', [
      retention.files,
      TOGETHER + failures.size,
    ]);
    const others = rows.filter(({ store_key: storeKey }) => !failures.has(storeKey));
    for (const row of others) {
      try {
        await forgetFile(row, { database, files });
      } catch (error) {
        failures.set(row.store_key, error);
        if (failures.size >= MAX_FAILED) throw error;
      }
    }
    return others.length;
  });
  for (const error of failures.values()) throw error;
  return removed;
}

interface ExpiredFile {
  readonly svc_organisation_id: string;
  readonly svc_company_id: string;
  readonly document_svc_id: string;
  readonly store_key: string;
}

async function forgetFile(
  row: ExpiredFile,
  { database, files }: Pick<ForgetOptions, 'database' | 'files'>,
): Promise<void> {
  await files.remove(row.store_key);
  const client = database.client(organisationScope(Number(row.svc_organisation_id)));
  await client.documentFile.deleteMany({
    where: {
      svcCompanyId: BigInt(row.svc_company_id),
      documentSvcId: BigInt(row.document_svc_id),
      storeKey: row.store_key,
    },
  });
}
