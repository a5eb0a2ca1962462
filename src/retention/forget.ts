import type { Retention } from '../config/retention.js';
import { keptAlive, withClient } from '../db/pool/client.js';
import { forgetFiles, type ForgetFilesOptions } from './forget-files.js';
import { inRounds, MAX_A_RUN, TOGETHER } from './rounds.js';

interface ForgetOptions extends ForgetFilesOptions {
  /** Only the owner may delete this data. */
  readonly ownerUrl: string;
  readonly retention: Retention;
}

/** How much was removed; for the change log: months, and rows outside of them. */
type ForgottenCounts = { readonly [Kind in keyof Retention | 'authorizations']: number };

const MONTHS_AHEAD = 3;

/**
 * Creates the change log's next monthly partitions, and deletes expired data. A failed deletion, such as of files in an
 * unavailable bucket, does not block the rest: the first failure is thrown at the end.
 */
export function forgetOld(options: ForgetOptions): Promise<ForgottenCounts> {
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
    const attempt = (work: Promise<number>) => work.catch((error: unknown) => (failures.push(error), 0));
    const forgotten = {
      changes: retention.changes > 0 ? await attempt(call('svc_forget_changes', retention.changes)) : 0,
      syncs: await attempt(inRoundsOf('svc_forget_syncs', retention.syncs)),
      uploads: await attempt(inRoundsOf('svc_forget_uploads', retention.uploads)),
      files: await attempt(forgetFiles(owner, retention.files, options)),
      audit: await attempt(inRoundsOf('svc_forget_audit_events', retention.audit)),
      deliveries: await attempt(inRoundsOf('svc_forget_deliveries', retention.deliveries)),
      authorizations: await attempt(call('svc_forget_authorizations')),
    };
    if (failures.length > 0) throw failures[0];
    return forgotten;
  });
}

/** Whether a run hit the maximum of a kind, so that more is left. */
export const isMoreLeft = (forgotten: ForgottenCounts): boolean =>
  Object.values(forgotten).some((count) => count >= MAX_A_RUN);
