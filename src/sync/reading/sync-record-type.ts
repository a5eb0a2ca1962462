import type { ReadByIds } from '../../connectors/pull.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { assertHeld } from '../../runs/lease.js';
import { lookupsFor, lookupsWhereAsked } from '../../store/lookups.js';
import { mapObjects } from '../../store/map-objects.js';
import { beginJob, endJob, type JobRow, listJobs } from '../state/job-state.js';
import { mapPage, pageBatches } from '../storing/map-page.js';
import { afterFeeds, leavesGap, startJob } from './plan.js';
import type { RecordTypeSync, StartedJob } from './record-type-sync.js';
import {
  followFeed,
  placeOf,
  rememberLiving,
  type Removal,
  removeIds,
  removeUnseen,
} from '../storing/remove-missing.js';
import type { ClaimedRun } from '../state/run-state.js';
import { progressing } from './progressing.js';
import { readAhead } from './read-ahead.js';
import { forgetUnmapped, isEmpty, storePage, targetOf } from '../storing/store-page.js';

/** Syncs one record type of a connection, from where an earlier worker left it. */
export async function syncRecordType(work: RecordTypeSync): Promise<void> {
  const { sql, run, resource } = work;
  if (work.job.platformIds && resource.byIds) return syncNamed(work, resource.byIds, work.job.platformIds);
  const pulling = work.begun ?? (await startJob(work));
  const { job, plan, idle } = pulling;
  if (job.phase === 'PULL') await pull(work, pulling);
  const sweeping: JobRow = job.phase === 'SWEEP' ? job : { ...job, phase: 'SWEEP', cursor: null };
  const swept = await sweep(work, { ...pulling, job: sweeping });
  const isAll = plan.isComplete || plan.since?.getTime() === work.oldest?.getTime();
  const read = { swept, isAll, isWhole: plan.isComplete, behindMs: work.behindMs() };
  const marks = leavesGap(work, plan) ? null : read;
  if (idle?.ends(marks)) return;
  await sql.transaction(async (transaction) => {
    await assertHeld(transaction, run);
    if (plan.isComplete) await forgetUnmapped(transaction, run, resource);
    await endJob(transaction, run, job.svcId, {
      problem: null,
      marks,
      hasSeen: [...plan.ways, ...afterFeeds(resource, plan.ways)].some(({ kind }) => kind !== 'feed'),
    });
  });
}

/** Reads objects named by the platform; those that it now has as another type no longer belong to this record type. */
async function syncNamed(work: RecordTypeSync, byIds: ReadByIds, ids: readonly string[]): Promise<void> {
  const { sql, run, job, resource, baseCurrency } = work;
  if (job.state === 'CREATED') await beginJob(sql, run, job.svcId, { since: null, plan: null });
  const found = await work.readNamed(byIds, ids);
  const objects = [...found.values()];
  const lookups = await lookupsFor(sql, targetOf(run), { resource, objects }, baseCurrency);
  const mapped = mapObjects(resource, objects, lookups);
  const { batches, unmapped } = pageBatches(resource.definition, mapped.records, true);
  const gone = [...found].filter(([, object]) => mapped.others.includes(object)).map(([id]) => id);
  const bytes = work.takeBytes();
  await storePage(sql, {
    run,
    jobSvcId: job.svcId,
    resource,
    mapped: { batches, unmapped: [...mapped.unmapped, ...unmapped], others: [] },
    cursor: null,
    bytes,
    remember: false,
  });
  const removal: Removal = { run, job, resource, idle: null, place: 0, cursor: null, checkIn: work.checkIn };
  if (gone.length > 0) await removeIds(sql, removal, { platformIds: gone });
  await sql.transaction(async (transaction) => {
    await assertHeld(transaction, run);
    await endJob(transaction, run, job.svcId, { problem: null, hasSeen: false });
  });
}

async function pull(work: RecordTypeSync, { job, plan, idle }: StartedJob): Promise<void> {
  const { sql, platform, run, resource, baseCurrency } = work;
  const { since, ways, isFirst, isComplete } = plan;
  const lookups = lookupsWhereAsked(sql, targetOf(run), resource.lookups ?? [], baseCurrency);
  const title = resource.definition.dataModel;
  const pages = progressing(resource.pages(platform, { since, cursor: job.cursor }), {
    title,
    from: job.cursor,
  });
  const ahead = readAhead(pages, async ({ objects, ...page }) => ({
    ...page,
    bytes: work.takeBytes(),
    mapped: await mapPage({ resource, lookups, isNew: isFirst }, objects),
  }));
  for await (const page of ahead) {
    if (!isEmpty(page) || !idle?.skips(page.bytes)) {
      await idle?.begin();
      // A list of ids without the record just read is wrong, or has changed since: the next one will show.
      const remember = ways.some(({ kind }) => kind === 'pull' || (kind === 'sweep' && isComplete));
      await storePage(sql, { ...page, run, jobSvcId: job.svcId, resource, remember });
    }
    if (page.cursor !== null) await work.checkIn();
  }
}

/** Whether the pull found objects that could not be mapped. */
async function hasUnmapped(sql: TenantSql, run: ClaimedRun, { svcId }: JobRow): Promise<boolean> {
  return (await listJobs(sql, run)).some((job) => job.svcId === svcId && job.failed > 0);
}

/** Finds deletions; true when none that happened before are left to be found. */
async function sweep(work: RecordTypeSync, { job, plan, idle }: StartedJob): Promise<boolean> {
  const { sql, platform, run, resource, settings, checkIn } = work;
  const { ways, isFirst } = plan;
  const resumed = placeOf(job.cursor);
  let isSwept = isFirst || ways.some((way) => way.kind !== 'feed' || way.feed.kind === 'feed');
  let isCut = resumed.place > 0 && resumed.place === ways.length;
  for (const [place, way] of [...ways, ...afterFeeds(resource, ways)].entries()) {
    // The sweep finds whatever a feed would have told.
    const isNeeded = way.kind === 'feed' ? !isCut : place < ways.length || isCut;
    if (place < resumed.place || !isNeeded) continue;
    const cursor = place === resumed.place ? resumed.cursor : null;
    const removal: Removal = { run, job, resource, idle, place, cursor, checkIn };
    switch (way.kind) {
      case 'feed':
        if (!(await followFeed(sql, platform, way, removal))) isCut = true;
        break;
      case 'sweep':
        if (await rememberLiving(sql, platform, way.sweep, removal))
          await removeUnseen(sql, removal, settings.maxDeletedShare);
        break;
      case 'pull':
        // Unmapped objects were not recorded by id, but are not deleted for that reason.
        if (await hasUnmapped(sql, run, job)) isSwept = false;
        else await removeUnseen(sql, removal, settings.maxDeletedShare);
        break;
      default:
        way satisfies never;
    }
  }
  return isSwept;
}
