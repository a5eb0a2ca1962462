import type { PlatformClient } from '../../connectors/platform.js';
import type { CuttableIdPage, Deletions, PullResource } from '../../connectors/pull.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { assertHeld } from '../../runs/lease.js';
import { AppError } from '../../errors.js';
import { LOCAL_VERSION } from '../../store/local-version.js';
import { MAX_BATCH_SIZE } from '../../store/ready-batch.js';
import { deleteBatch } from '../../store/store-records.js';
import type { IdleJob } from '../state/idle-jobs.js';
import { progressing } from '../reading/progressing.js';
import { checkpointJob, type JobRow, startedAtSql } from '../state/job-state.js';
import { causeOf, type ClaimedRun } from '../state/run-state.js';
import { rememberIds, storedPartsOf, targetOf } from './store-page.js';

export interface Removal {
  readonly run: ClaimedRun;
  readonly job: JobRow;
  readonly resource: PullResource;
  /** Set if the job's start is not stored yet. */
  readonly idle: IdleJob | null;
  /** Index of this way in the job's plan. */
  readonly place: number;
  /** Where it continues. */
  readonly cursor: string | null;
  /** Between pages: throws where the record type is not to be read on. */
  readonly checkIn: () => Promise<void>;
}

/** This few may always be deleted: a share says nothing about a handful. */
const ALWAYS_REMOVABLE = 10;

const PLACE = /^way ([1-9]\d*) (.*)$/s;

/**
 * The index of a way in its plan, and its own cursor, as contained in a job's cursor: for the first way only its own
 * cursor.
 */
export function placeOf(cursor: string | null): { readonly place: number; readonly cursor: string | null } {
  const [, place, own = ''] = PLACE.exec(cursor ?? '') ?? [];
  return place === undefined
    ? { place: 0, cursor }
    : { place: Number(place), cursor: own === '' ? null : own };
}

/** A job's cursor at a place of its plan. */
export const cursorAt = (place: number, own: string | null): string | null =>
  place === 0 ? own : `way ${place} ${own ?? ''}`;

/**
 * Removes records that the platform reports as deleted, or turned into another type, since a time. Deleted records that
 * were stored since the job began have come back; the next job sees a later deletion. Returns whether that was all.
 */
export async function followFeed(
  sql: TenantSql,
  client: PlatformClient,
  { feed, since }: { readonly feed: Deletions<CuttableIdPage>; readonly since: Date },
  removal: Removal,
): Promise<boolean> {
  for await (const { platformIds, cursor, isCut } of idPages(client, feed, since, removal)) {
    if (platformIds.length > 0 || isCut || !removal.idle?.skips(0)) {
      await removal.idle?.begin();
      const storedBefore = feed.kind === 'feed' ? removal.job.startedAt : null;
      // A sync that resumes asks again: what follows a cut page would not tell that it was cut.
      await removeIds(sql, removal, { platformIds, cursor: isCut ? null : cursor, storedBefore });
    }
    if (isCut) return false;
    if (cursor !== null) await removal.checkIn();
  }
  return true;
}

function idPages(
  client: PlatformClient,
  deletions: Deletions<CuttableIdPage>,
  since: Date | null,
  { resource, cursor }: Removal,
): AsyncIterable<CuttableIdPage> {
  const title = `what is gone of ${resource.definition.dataModel}`;
  return progressing(deletions.pages(client, { since, cursor }), { title, from: cursor });
}

/** Stores the ids of all living objects on the platform. Returns whether it shows them all: else none are missing. */
export async function rememberLiving(
  sql: TenantSql,
  client: PlatformClient,
  sweep: Deletions<CuttableIdPage>,
  removal: Removal,
): Promise<boolean> {
  const { run, job, resource, place, checkIn } = removal;
  for await (const { platformIds, wholes = [], cursor, isPartial } of idPages(client, sweep, null, removal)) {
    if (isPartial) return false;
    await sql.transaction(async (transaction) => {
      await assertHeld(transaction, run);
      const parts = await storedPartsOf(transaction, run, resource, wholes);
      await rememberIds(transaction, run, job.svcId, [...platformIds, ...parts]);
      await checkpointJob(transaction, run, job.svcId, {
        checkpoint: { phase: 'SWEEP', cursor: cursorAt(place, cursor) },
      });
    });
    await checkIn();
  }
  return true;
}

/**
 * Removes records that a complete pull or sweep did not find, unless they exceed the allowed share: then it is more
 * likely that the platform sent too little. Records stored since the job began, and those that exist only here, are
 * left alone. Throws `too-many-deleted`, and then nothing was removed.
 */
export async function removeUnseen(sql: TenantSql, removal: Removal, maxShare: number): Promise<void> {
  const { run, job, resource } = removal;
  const unseen = await unseenIds(sql, run, job, resource);
  const living = await countLiving(sql, run, resource);
  if (unseen.length > ALWAYS_REMOVABLE && unseen.length > living * maxShare) {
    const message = `the platform no longer lists ${unseen.length} of ${living} ${resource.definition.dataModel}; more than ${Math.round(maxShare * 100)} % are not removed at once: check the platform, then raise SYNC_MAX_DELETED_SHARE for one full sync if they are really gone`;
    throw new AppError('too-many-deleted', message);
  }
  for (let start = 0; start < unseen.length; start += MAX_BATCH_SIZE) {
    if (start > 0) await removal.checkIn();
    // Records stored since the search exist again.
    await removeIds(sql, removal, {
      platformIds: unseen.slice(start, start + MAX_BATCH_SIZE),
      storedBefore: job.startedAt,
    });
  }
}

interface Missing {
  readonly platformIds: readonly string[];
  /** Where the search continues. */
  readonly cursor?: string | null;
  /** Records stored since then live. */
  readonly storedBefore?: string | null;
}

/** Removes records by their ids, as far as they are here. */
export async function removeIds(
  sql: TenantSql,
  { run, job, resource, place }: Removal,
  { platformIds, cursor = null, storedBefore = null }: Missing,
): Promise<void> {
  await sql.transaction(async (transaction) => {
    const deleted = await deleteBatch(transaction, {
      ...targetOf(run),
      definition: resource.definition,
      platformIds,
      storedBefore,
      cause: causeOf(run),
    });
    await assertHeld(transaction, run);
    await checkpointJob(transaction, run, job.svcId, {
      checkpoint: { phase: 'SWEEP', cursor: cursorAt(place, cursor) },
      deleted,
    });
  });
}

async function unseenIds(
  sql: TenantSql,
  run: ClaimedRun,
  job: JobRow,
  { definition }: PullResource,
): Promise<string[]> {
  const query = sql.query();
  const company = query.bind(run.svcCompanyId);
  const rows = await sql.rows<{ platformId: string }>(
    query,
    `SELECT t.platform_id AS "platformId" FROM ${definition.table} t
     WHERE ${query.within('t')} AND t.svc_company_id = ${company}
       AND t.connection_id = ${query.bind(run.connectionId)} AND t.svc_deleted_at IS NULL
       AND t.svc_updated_at < ${startedAtSql(query, run, job.svcId)}
       AND t.mapper_version <> ${LOCAL_VERSION}
     -- Not NOT EXISTS: of a table that has just been filled the planner knows too little to hash it.
     EXCEPT SELECT s.platform_id FROM sync_seen s WHERE ${query.within('s')}
       AND s.svc_company_id = ${company} AND s.sync_job_svc_id = ${query.bind(job.svcId)}`,
  );
  return rows.map(({ platformId }) => platformId);
}

async function countLiving(sql: TenantSql, run: ClaimedRun, { definition }: PullResource): Promise<number> {
  const query = sql.query();
  const [row] = await sql.rows<{ count: number }>(
    query,
    `SELECT count(*) AS count FROM ${definition.table} t
     WHERE ${query.rowsOf(run.svcCompanyId, 'connection_id', run.connectionId)}
     AND t.svc_deleted_at IS NULL AND t.mapper_version <> ${LOCAL_VERSION}`,
  );
  return row?.count ?? 0;
}
