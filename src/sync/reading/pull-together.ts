import type { SharedListing } from '../../connectors/pull.js';
import { lookupsWhereAsked } from '../../store/lookups.js';
import { cursorAt } from '../storing/remove-missing.js';
import { mapPage } from '../storing/map-page.js';
import { begunSince, startJob } from './plan.js';
import { progressing } from './progressing.js';
import { readAhead } from './read-ahead.js';
import { isEmpty, storePage, targetOf } from '../storing/store-page.js';
import type { Plan, RecordTypeSync, StartedJob } from './record-type-sync.js';

/** A record type that a listing is read for, with others. */
interface Sharer {
  readonly work: RecordTypeSync;
  readonly since: Date | null;
}

/** Several record types that a listing is read for. */
interface Together {
  readonly listing: SharedListing;
  readonly sharers: readonly [Sharer, ...Sharer[]];
}

/**
 * The record types of a run that are read together with the first: those of the same listing at the same position. Null
 * if it is read alone.
 */
export function findTogether(
  first: RecordTypeSync,
  listOthers: () => readonly RecordTypeSync[],
): Together | null {
  const { listing } = first.resource;
  if (!listing || !isPulling(first) || !isOf(listing, first.job.cursor)) return null;
  const firstSince = begunSince(first);
  const others: Sharer[] = [];
  for (const work of listOthers()) {
    const { job } = work;
    if (!isPulling(work) || +(work.oldest ?? 0) !== +(first.oldest ?? 0)) continue;
    if (job.state !== first.job.state || job.cursor !== first.job.cursor) continue;
    const since = begunSince(work);
    const isSame =
      job.state === 'CREATED'
        ? (since === null) === (firstSince === null)
        : +(since ?? 0) === +(firstSince ?? 0);
    if (isSame) others.push({ work, since });
  }
  // A pull that began with others continues in their listing, if they are further ahead or have ended.
  if (others.length === 0 && first.job.cursor === null) return null;
  return { listing, sharers: [{ work: first, since: firstSince }, ...others] };
}

/**
 * Reads a listing once and stores each page for all of its record types, from where earlier workers left it. Returns
 * their jobs, in which only deletions remain to be found. A record type that a worker's death leaves a page ahead
 * continues by itself. Throws WithheldAccess if one of them may no longer be read: the listing is read on without it.
 */
export async function pullTogether({ listing, sharers }: Together): Promise<StartedJob[]> {
  const [{ work: first }] = sharers;
  const sinces = sharers.map(({ since }) => since).filter((since) => since !== null);
  const since = sinces.length === 0 ? null : new Date(Math.min(...sinces.map((one) => one.getTime())));
  const parts = await Promise.all(sharers.map(({ work }) => preparedFor(work, listing, since)));
  const dataModels = sharers.map(({ work }) => work.resource.definition.dataModel);
  const cursor = first.job.cursor?.slice(prefixOf(listing).length) ?? null;
  const listed = listing.pages(first.platform, { since, cursor }, dataModels);
  const pages = progressing(listed, { title: listing.name, from: cursor });
  const ahead = readAhead(pages, async ({ objects, cursor: next, wholes, unlisted }) => {
    const bytes = first.takeBytes();
    const shares = [];
    for (const part of parts) {
      const { resource } = part.work;
      const { lookups, plan } = part;
      const mapped = await mapPage(
        { resource, lookups, isNew: plan.isFirst, idOfOther: listing.idOf },
        objects,
      );
      shares.push({ ...part, mapped });
    }
    return { bytes, cursor: next === null ? null : prefixOf(listing) + next, wholes, unlisted, shares };
  });
  for await (const { shares, bytes, ...page } of ahead) {
    for (const [index, { work, job, plan, idle, mapped, sweepFrom }] of shares.entries()) {
      const share = { ...page, mapped, bytes: index === 0 ? bytes : 0 };
      if (isEmpty(share) && idle?.skips(share.bytes)) continue;
      await idle?.begin();
      await storePage(work.sql, {
        ...share,
        run: work.run,
        jobSvcId: job.svcId,
        resource: work.resource,
        remember: plan.ways.some(({ kind }) => kind === 'pull'),
        sweepFrom,
      });
    }
    if (page.cursor !== null) for (const { work } of sharers) await work.checkIn();
  }
  return parts.map(({ job, plan, idle, sweepFrom }) => ({
    job: { ...job, phase: 'SWEEP', cursor: sweepFrom },
    plan,
    idle,
  }));
}

async function preparedFor(work: RecordTypeSync, listing: SharedListing, since: Date | null) {
  const { sql, run, resource, baseCurrency } = work;
  const { job, plan, idle } = await startJob(work, since);
  return {
    work,
    job,
    plan,
    idle,
    lookups: lookupsWhereAsked(sql, targetOf(run), resource.lookups ?? [], baseCurrency),
    /** Where the search for deletions starts after the last page. */
    sweepFrom: cursorAt(placeAfterPull(listing, plan), null),
  };
}

/**
 * The place of the first way that is left: objects that became another type since `since` were read as that type by the
 * pull. If none is left, it is behind that of the sweep which follows feeds that are cut.
 */
function placeAfterPull({ idOf }: SharedListing, { since, ways }: Plan): number {
  const [way] = ways;
  if (!idOf || since === null || way?.kind !== 'feed' || way.feed.kind !== 'moves') return 0;
  if (since > way.since) return 0;
  return ways.length === 1 ? 2 : 1;
}

const prefixOf = ({ name }: SharedListing): string => `all ${name} `;
const isPulling = ({ begun, job: { phase, platformIds } }: RecordTypeSync): boolean =>
  !begun && phase === 'PULL' && platformIds === null;
const isOf = (listing: SharedListing, cursor: string | null): boolean =>
  cursor === null || cursor.startsWith(prefixOf(listing));
