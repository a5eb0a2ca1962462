import type { CuttableIdPage, Deletions, PullResource } from '../../connectors/pull.js';
import { databaseTime } from '../../db/clock.js';
import { beginJob, type JobRow, type SyncMark } from '../state/job-state.js';
import { targetOf } from '../storing/store-page.js';
import type { Plan, RecordTypeSync, StartedJob, Way } from './record-type-sync.js';

/** Clocks differ, and platforms list new objects with a delay: ask for a slightly longer range. */
const OVERLAP_MS = 2 * 60_000;

const NEVER: SyncMark = { pulledTo: null, sweptAt: null, completeAt: null };

/** Begins a job unless it has begun, to read changes since `since`. */
export async function startJob(
  work: RecordTypeSync,
  since: Date | null = sinceOf(work),
): Promise<StartedJob> {
  const { sql, run, job, resource, mark } = work;
  if (job.state !== 'CREATED') {
    const from = job.since === null ? null : new Date(job.since);
    return {
      job,
      plan: storedPlan(resource, job, from) ?? newPlan(work, { since: from, isFirst: !mark }),
      idle: null,
    };
  }
  const plan = newPlan(work, { since, isFirst: !mark?.pulledTo && !(await hasRecords(work)) });
  const start = { since, plan: planText(resource, plan) };
  const mayBeIdle = since !== null && plan.ways.every(({ kind }) => kind === 'feed');
  const idle = mayBeIdle ? work.idleJobs.open(job.svcId, start) : null;
  const startedAt = idle?.startedAt ?? (await beginJob(sql, run, job.svcId, start));
  return { job: { ...job, state: 'RUNNING', since: since?.toISOString() ?? null, startedAt }, plan, idle };
}

/** Start of the range that a job reads, whether it has begun or not. */
export function begunSince(work: RecordTypeSync): Date | null {
  const { state, since } = work.job;
  if (state !== 'CREATED') return since === null ? null : new Date(since);
  return sinceOf(work);
}

/** Start of the range that a run requests: null for everything, else changes since the last run or since a date. */
function sinceOf({ run, resource, oldest, mark }: RecordTypeSync): Date | null {
  if (!resource.incremental) return null;
  if (run.syncFrom !== null) return new Date(run.syncFrom);
  if (run.fullSync || !mark?.pulledTo || isCompleteDue(resource, mark)) {
    return resource.undated ? null : oldest;
  }
  return new Date(Date.parse(mark.pulledTo) - OVERLAP_MS);
}

/** Whether changes since the last sync are skipped: before the run's given date, or those the platform no longer tells. */
export function leavesGap({ run, resource, mark }: RecordTypeSync, { since, isComplete }: Plan): boolean {
  if (run.syncFrom === null || isComplete) return false;
  const pulledTo = mark?.pulledTo;
  return !(pulledTo && since && since <= new Date(pulledTo) && reaches(resource, pulledTo));
}

/** Whether records are stored: by a failed earlier sync, by events, or by writes. */
async function hasRecords({ sql, run, resource }: RecordTypeSync): Promise<boolean> {
  const query = sql.query();
  const { svcCompanyId, connectionId } = targetOf(run);
  const rows = await sql.rows(
    query,
    `SELECT 1 FROM ${resource.definition.table} t WHERE ${query.rowsOf(svcCompanyId, 'connection_id', connectionId)}
       AND t.svc_deleted_at IS NULL LIMIT 1`,
  );
  return rows.length > 0;
}

/** How a job that begins now finds deletions. If nothing is stored yet, nothing can have been deleted. */
export function newPlan(work: RecordTypeSync, { since, isFirst }: Pick<Plan, 'since' | 'isFirst'>): Plan {
  const isComplete = since === null;
  return { since, isFirst, isComplete, ways: isFirst ? [] : waysOf(work, isComplete) };
}

/** Whether the platform cannot report all changes since the last sync. */
function isCompleteDue(resource: PullResource, { pulledTo, sweptAt, completeAt }: SyncMark): boolean {
  const { deletions = [], unstamped } = resource;
  if (unstamped && !isWithin(completeAt, unstamped.everyHours)) return true;
  if (!reaches(resource, pulledTo)) return true;
  const feeds = deletions.filter(({ kind }) => kind === 'feed');
  const isReached = feeds.every((feed) => reaches(feed, sweptAt ?? pulledTo));
  return !isReached && !deletions.some(({ kind }) => kind === 'sweep');
}

const reaches = ({ reachDays }: Pick<Deletions, 'reachDays'>, from: string | null): boolean =>
  reachDays === undefined || isWithin(from, reachDays * 24);

/** Whether a time is within this many hours; the requested range begins a little earlier still. */
const isWithin = (time: string | null, hours: number): boolean =>
  time !== null && databaseTime().getTime() - Date.parse(time) + OVERLAP_MS < hours * 3_600_000;

function waysOf({ resource, run, settings, mark }: RecordTypeSync, isComplete: boolean): Way[] {
  const { deletions = [] } = resource;
  const { sweptAt, pulledTo } = mark ?? NEVER;
  const ways = deletions.flatMap((feed): Way[] => {
    if (feed.kind === 'sweep') return [];
    const from = feed.kind === 'feed' ? (sweptAt ?? pulledTo) : pulledTo;
    return from && reaches(feed, from)
      ? [{ kind: 'feed', feed, since: new Date(Date.parse(from) - OVERLAP_MS) }]
      : [];
  });
  const hasFeed = ways.some((way) => way.kind === 'feed' && way.feed.kind === 'feed');
  if (hasFeed) return ways;
  const isLost = deletions.some(({ kind }) => kind === 'feed');
  const sweep = deletions.find(({ kind }) => kind === 'sweep');
  if (!sweep) return isComplete ? [...ways, { kind: 'pull' }] : ways;
  const isDue =
    run.fullSync ||
    isLost ||
    pulledTo === null ||
    (sweptAt !== null && databaseTime().getTime() - Date.parse(sweptAt) > settings.sweepHours * 3_600_000);
  return isDue ? [...ways, { kind: 'sweep', sweep }] : ways;
}

/** The sweep for what feeds leave out, in addition to the ways of a plan. */
export function afterFeeds({ deletions = [] }: PullResource, ways: readonly Way[]): Way[] {
  const sweep = deletions.find(({ kind }) => kind === 'sweep');
  return sweep && ways.length > 0 && ways.every(({ kind }) => kind === 'feed')
    ? [{ kind: 'sweep', sweep }]
    : [];
}

/** A way of finding deletions as stored: `at` is its index in `deletions` of its record type. */
interface StoredWay {
  readonly kind: Way['kind'];
  readonly at?: number;
  readonly since?: string;
}

function planText({ deletions }: PullResource, { isFirst, ways }: Plan): string {
  const all: readonly Deletions<CuttableIdPage>[] = deletions ?? [];
  const stored = ways.map((way): StoredWay => {
    if (way.kind === 'feed') {
      return { kind: way.kind, at: all.indexOf(way.feed), since: way.since.toISOString() };
    }
    return way.kind === 'sweep' ? { kind: way.kind, at: all.indexOf(way.sweep) } : { kind: way.kind };
  });
  return JSON.stringify({ isFirst, ways: stored });
}

/** Null if none is stored, or if the connector now finds deletions in other ways. */
function storedPlan({ deletions = [] }: PullResource, { plan }: JobRow, since: Date | null): Plan | null {
  if (plan === null) return null;
  const stored = JSON.parse(plan.text) as { readonly isFirst: boolean; readonly ways: readonly StoredWay[] };
  const ways = stored.ways.flatMap(({ kind, at = -1, since: from = '' }): Way[] => {
    const deletion = deletions[at];
    if (kind === 'pull') return [{ kind }];
    if (!deletion || (kind === 'sweep') !== (deletion.kind === 'sweep')) return [];
    return kind === 'sweep' ? [{ kind, sweep: deletion }] : [{ kind, feed: deletion, since: new Date(from) }];
  });
  if (ways.length < stored.ways.length) return null;
  return { since, isFirst: stored.isFirst, isComplete: since === null, ways };
}
