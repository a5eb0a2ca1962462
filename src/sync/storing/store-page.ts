import type { PullResource } from '../../connectors/pull.js';
import { inOrder } from '../../db/in-order.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { RecordDefinition } from '../../records/define.js';
import { assertHeld } from '../../runs/lease.js';
import { batchesOf, type UnmappedObject } from '../../store/ready-batch.js';
import { deleteBatch, storeChanged, storeReadyBatch } from '../../store/store-records.js';
import { LOCAL_VERSION } from '../../store/local-version.js';
import { isIdTooLong } from '../../store/values-row.js';
import { RawJson, stringifyJson } from '../../base/raw-json.js';
import { checkpointJob, type JobProgress, startedAtSql } from '../state/job-state.js';
import type { MappedPage } from './map-page.js';
import { causeOf, type ClaimedRun } from '../state/run-state.js';

interface PageToStore {
  readonly run: ClaimedRun;
  readonly jobSvcId: number;
  readonly resource: PullResource;
  /** Its objects in our terms. */
  readonly mapped: MappedPage;
  readonly cursor: string | null;
  /** Length of the platform's answers since the page before. */
  readonly bytes: number;
  /** Remember the ids: records that a complete pull does not find were deleted. */
  readonly remember: boolean;
  readonly wholes?: readonly string[] | undefined;
  readonly unlisted?: readonly string[] | undefined;
  /** Start of the search for deletions, after the last page. */
  readonly sweepFrom?: string | null;
}

/** Whether a page has nothing to store. */
export const isEmpty = ({
  mapped: { batches, unmapped, others },
  wholes = [],
  unlisted = [],
}: Pick<PageToStore, 'mapped' | 'wholes' | 'unlisted'>): boolean =>
  batches.length + unmapped.length + others.length + wholes.length + unlisted.length === 0;

/**
 * Stores a page: its records, their change log, unmapped objects, the counts and the checkpoint, all or nothing. A page
 * of more than a batch is several transactions; the checkpoint moves with the last.
 */
export async function storePage(sql: TenantSql, page: PageToStore): Promise<void> {
  const { run, jobSvcId, resource, cursor } = page;
  const { batches, others } = page.mapped;
  const unmapped = [...page.mapped.unmapped];
  // A page without records has counts and a checkpoint, too.
  for (const [index, batch] of (batches.length === 0 ? [null] : batches).entries()) {
    const isLast = index >= batches.length - 1;
    const platformIds = batch?.platformIds ?? [];
    await sql.transaction(async (transaction) => {
      let progress: JobProgress = { read: platformIds.length };
      const to = { ...targetOf(run), cause: causeOf(run) };
      if (batch && 'rows' in batch) {
        progress = { ...progress, ...(await storeReadyBatch(transaction, { ...to, ready: batch })) };
      } else if (batch) {
        const { unmapped: refused, ...counts } = await storeChanged(transaction, { ...to, ...batch });
        progress = { read: platformIds.length - refused.length, ...counts };
        unmapped.push(...refused);
      }
      if (isLast) {
        await keepUnmapped(transaction, run, resource, unmapped);
        const problems = unmapped.map(({ message }) => message);
        const gone = [
          ...others,
          // An unmapped object may be one of those parts. And ids that a complete pull and its sweep find are all.
          ...(unmapped.length === 0 && (!page.remember || isSweptByWholes(resource))
            ? await findLostParts(transaction, page)
            : []),
        ];
        const deleted = await removeGone(transaction, page, gone);
        progress = { ...progress, failed: unmapped.length, problems, bytes: page.bytes, deleted };
      }
      // The last page ends the pull: a worker that dies after it must not begin again.
      const checkpoint =
        cursor === null
          ? ({ phase: 'SWEEP', cursor: page.sweepFrom ?? null } as const)
          : ({ phase: 'PULL', cursor } as const);
      // In one write; the session runs one after the other.
      await inOrder([
        assertHeld(transaction, run),
        page.remember && rememberIds(transaction, run, jobSvcId, platformIds),
        page.remember && isLast && rememberUnlisted(transaction, page),
        checkpointJob(transaction, run, jobSvcId, { ...progress, ...(isLast ? { checkpoint } : {}) }),
      ]);
    });
  }
}

const isSweptByWholes = ({ deletions = [] }: PullResource): boolean =>
  deletions.some(({ ofWholes }) => ofWholes);

/** The ids of records that belong to a page's wholes but are not on the page. */
async function findLostParts(
  transaction: TenantSql,
  { run, jobSvcId, resource, mapped, wholes = [] }: PageToStore,
): Promise<string[]> {
  const met = mapped.batches.flatMap(({ platformIds }) => platformIds);
  return findParts(
    transaction,
    { run, resource, wholes },
    (query) =>
      `AND t.svc_updated_at < ${startedAtSql(query, run, jobSvcId)} AND t.mapper_version <> ${LOCAL_VERSION}
       AND t.platform_id <> ALL(${query.bind(met)}::text[])`,
  );
}

/** The ids of stored records that are parts of wholes. */
export const storedPartsOf = (
  transaction: TenantSql,
  run: ClaimedRun,
  resource: PullResource,
  wholes: readonly string[],
): Promise<string[]> => findParts(transaction, { run, resource, wholes });

/** Parts of wholes. */
interface Parts {
  readonly run: ClaimedRun;
  readonly resource: PullResource;
  readonly wholes: readonly string[];
}

/** The ids of living records `t` that are parts of wholes, as far as a further condition holds. */
async function findParts(
  transaction: TenantSql,
  { run, resource: { definition, partOf }, wholes }: Parts,
  further: (query: TenantQuery) => string = () => '',
): Promise<string[]> {
  if (wholes.length === 0 || !partOf) return [];
  const query = transaction.query();
  const ids = `${query.bind([...new Set(wholes)])}::text[]`;
  const parts = (isPart: string) =>
    // No index that begins with the connection: it may have many more records than the planner expects.
    `SELECT t.platform_id AS "platformId" FROM ${definition.table} t
     WHERE ${query.filtered('t')} AND t.svc_company_id = ${query.bind(run.svcCompanyId)}
       AND (t.connection_id = ${query.bind(run.connectionId)}) IS TRUE AND t.svc_deleted_at IS NULL
       AND ${isPart} ${further(query)}`;
  const text =
    'field' in partOf
      ? // One probe of the field's index a whole: `OFFSET` keeps the planner from joining them with all records instead.
        `SELECT p.* FROM unnest(${ids}) AS w (id)
         CROSS JOIN LATERAL (${parts(`t.${columnOf(definition, partOf.field)} = w.id`)} OFFSET 0) p`
      : parts(`COALESCE(${pathsSql(query, partOf.paths)}) = ANY(${ids})`);
  const rows = await transaction.rows<{ platformId: string }>(query, text);
  return rows.map(({ platformId }) => platformId);
}

const pathsSql = (query: TenantQuery, paths: readonly (readonly string[])[]): string =>
  paths.map((path) => `t.raw_data #>> ${query.bind(path)}::text[]`).join(', ');

function columnOf({ model, own }: RecordDefinition, name: string): string {
  const field = own[name];
  if (!field) throw new Error(`${model} has no field ${name}`);
  return field.wire;
}

/** Removes records in the given transaction. Returns how many there were. */
async function removeGone(
  transaction: TenantSql,
  { run, resource }: PageToStore,
  platformIds: readonly string[],
): Promise<number> {
  let deleted = 0;
  for (const batch of batchesOf(platformIds)) {
    deleted += await deleteBatch(transaction, {
      ...targetOf(run),
      definition: resource.definition,
      platformIds: batch,
      cause: causeOf(run),
    });
  }
  return deleted;
}

export const targetOf = (run: ClaimedRun) => ({
  svcCompanyId: run.svcCompanyId,
  connectionId: run.connectionId,
  integrationType: run.integrationType,
});

/** Stores ids that a complete pull or sweep has found. */
export async function rememberIds(
  transaction: TenantSql,
  run: ClaimedRun,
  jobSvcId: number,
  platformIds: readonly string[],
): Promise<void> {
  // If it is too long, nothing is stored.
  const storable = platformIds.filter((id) => !isIdTooLong(id));
  if (storable.length === 0) return;
  const query = transaction.query();
  const company = query.bind(run.svcCompanyId);
  await transaction.rows(
    query,
    `INSERT INTO sync_seen (svc_organisation_id, svc_company_id, sync_job_svc_id, platform_id)
     SELECT t.svc_organisation_id, t.svc_id, ${query.bind(jobSvcId)}, i.platform_id
     FROM (SELECT DISTINCT unnest(${query.bind(storable)}::text[]) AS platform_id) i, companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${company}
     ON CONFLICT (svc_company_id, sync_job_svc_id, platform_id) DO NOTHING`,
  );
}

/** Stores the ids of living records that a complete pull could not list, as if it had found them. */
async function rememberUnlisted(
  transaction: TenantSql,
  { run, jobSvcId, resource, unlisted = [] }: PageToStore,
): Promise<void> {
  if (unlisted.length === 0) return;
  const query = transaction.query();
  const rows = await transaction.rows<{ platformId: string }>(
    query,
    `SELECT t.platform_id AS "platformId" FROM ${resource.definition.table} t
     WHERE ${query.rowsOf(run.svcCompanyId, 'connection_id', run.connectionId)} AND t.svc_deleted_at IS NULL
       AND EXISTS (SELECT FROM unnest(${query.bind(unlisted)}::text[]) p (prefix) WHERE starts_with(t.platform_id, p.prefix))`,
  );
  await rememberIds(
    transaction,
    run,
    jobSvcId,
    rows.map(({ platformId }) => platformId),
  );
}

/** Stores unmapped objects as received, with the reason, for a later mapper version. */
async function keepUnmapped(
  transaction: TenantSql,
  run: ClaimedRun,
  resource: PullResource,
  unmapped: readonly UnmappedObject[],
): Promise<void> {
  if (unmapped.length === 0) return;
  const query = transaction.query();
  const rows = stringifyJson(
    unmapped.map(({ raw, dataHash, message }) => ({
      raw_data: new RawJson(raw),
      data_hash: dataHash,
      message,
    })),
  );
  const values = [run.svcCompanyId, run.connectionId, resource.definition.dataModel, run.svcId].map((value) =>
    query.bind(value),
  );
  await transaction.rows(
    query,
    `INSERT INTO unmapped_records AS u (svc_organisation_id, svc_company_id, connection_id, data_model, sync_svc_id,
       data_hash, raw_data, message)
     SELECT DISTINCT ON (r.data_hash) t.svc_organisation_id, ${values.join(', ')}, r.data_hash, r.raw_data, r.message
     FROM jsonb_to_recordset(${query.bind(rows)}::jsonb) AS r (data_hash text, raw_data jsonb, message text), companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${values[0]}
     ON CONFLICT (svc_company_id, connection_id, data_model, data_hash) DO UPDATE SET message = excluded.message,
       sync_svc_id = excluded.sync_svc_id
     -- A cluster inserts what it has made at its coordinator, and has no values there.
     WHERE u.svc_organisation_id = excluded.svc_organisation_id`,
  );
}

/** Forgets what an earlier run could not map, once a complete pull has read everything again. */
export async function forgetUnmapped(
  transaction: TenantSql,
  run: ClaimedRun,
  resource: PullResource,
): Promise<void> {
  const query = transaction.query();
  await transaction.rows(
    query,
    `DELETE FROM unmapped_records t WHERE ${query.rowsOf(run.svcCompanyId, 'connection_id', run.connectionId)}
     AND t.data_model = ${query.bind(resource.definition.dataModel)}
     AND t.sync_svc_id <> ${query.bind(run.svcId)}`,
  );
}
