import { parsePlatformJson } from '../../connectors/values/platform-json.js';
import { objectOf } from '../../connectors/values/platform-values.js';
import { organisationScope } from '../../db/scope.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { toAppError, type WriteWarning } from '../../errors.js';
import { addJob, type LookJobPayload } from '../../jobs/add-job.js';
import { openConnection, type PlatformServices } from '../../platforms/open-connection.js';
import type { RawJson } from '../../base/raw-json.js';
import type { Category } from '../../records/define.js';
import { lookupsFor } from '../../store/lookups.js';
import { mapObjects } from '../../store/map-objects.js';
import { storeRecords } from '../../store/store-records.js';
import { markerOf, type WriteEngine } from '../engine.js';

/** After the end of an item that was sent more than once, and after each look. */
const LOOK_AFTER_SECONDS = [10, 60, 600];
const PATIENCE_MS = 3000;

/** Lets an item be looked for again, in the transaction given. */
export async function planLook(
  transaction: TenantSql,
  connectionId: number,
  look: Omit<LookJobPayload, 'organisationId'>,
): Promise<void> {
  const seconds = LOOK_AFTER_SECONDS[look.looks];
  if (seconds === undefined) return;
  const { organisationId } = transaction.scope;
  await addJob(transaction, {
    task: 'look',
    payload: { organisationId, ...look },
    queue: `look:${connectionId}`,
    key: `look:${look.itemSvcId}`,
    runInMs: seconds * 1000,
  });
}

interface SentItem {
  readonly jobId: string;
  readonly platformId: string;
  readonly input: RawJson;
  readonly uploadId: string;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: Category;
  readonly dataModel: string;
}

/**
 * Checks whether the platform has a duplicate of an item: a request whose answer was lost, and which was resent, may
 * have been carried out after all. A duplicate is stored as a record, and the item warns of it. The job of task `look`.
 */
export async function lookAgain(
  engine: LookEngine,
  { organisationId, svcCompanyId, itemSvcId, looks }: LookJobPayload,
): Promise<void> {
  const sql = engine.database.sql(organisationScope(organisationId));
  const item = await readItem(sql, svcCompanyId, itemSvcId);
  if (!item) return;
  const next = { svcCompanyId, itemSvcId, looks: looks + 1 };
  try {
    const twin = await findTwin(engine, sql, { svcCompanyId, ...item });
    if (twin) return await tellTwin(engine, sql, { ...next, item, twin });
  } catch (error) {
    engine.log.warn(
      { err: error, code: toAppError(error).code, itemSvcId },
      'an item could not be looked up',
    );
  }
  await sql.transaction((transaction) => planLook(transaction, item.connectionId, next));
}

/** A written item; null for others, and for one that is gone. */
async function readItem(sql: TenantSql, svcCompanyId: number, itemSvcId: number): Promise<SentItem | null> {
  const query = sql.query();
  const [row] = await sql.rows<SentItem>(
    query,
    `SELECT t.job_id AS "jobId", t.platform_id AS "platformId", t.input, u.upload_id AS "uploadId",
       u.connection_id AS "connectionId", u.integration_type AS "integrationType", u.category, u.data_model AS "dataModel"
     FROM upload_items t JOIN uploads u ON u.svc_company_id = t.svc_company_id AND u.svc_id = t.upload_svc_id
     WHERE ${query.within('t')} AND ${query.within('u')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
       AND t.svc_id = ${query.bind(itemSvcId)} AND t.ended_at IS NOT NULL AND t.platform_id IS NOT NULL`,
  );
  return row ?? null;
}

type LookEngine = PlatformServices & Pick<WriteEngine, 'log'>;

interface Twin {
  readonly title: string;
  readonly platformId: string;
}

/** A duplicate object of the item, stored; null if there is none. */
async function findTwin(
  engine: LookEngine,
  sql: TenantSql,
  item: SentItem & { readonly svcCompanyId: number },
): Promise<Twin | null> {
  const { svcCompanyId, connectionId, integrationType, dataModel, platformId } = item;
  const budget = { use: 'sync', patienceMs: PATIENCE_MS } as const;
  const { connector, platform, baseCurrency } = await openConnection(engine, sql, item, budget);
  const push = connector.push?.resources.find(({ definition }) => definition.dataModel === dataModel);
  const resource = connector.pulls.find(({ definition }) => definition.dataModel === dataModel);
  if (!push?.find || !resource) return null;
  const input = objectOf(parsePlatformJson(item.input.text).value) ?? {};
  const lost = { marker: markerOf(item.jobId), item: input, besides: platformId };
  const object = await push.find(platform, lost);
  if (!object) return null;
  const target = { svcCompanyId, connectionId, integrationType };
  const lookups = await lookupsFor(sql, target, { resource, objects: [object] }, baseCurrency);
  const { records } = mapObjects(resource, [object], lookups);
  const [record] = records;
  if (!record || record.platformId === platformId) return null;
  const cause = { kind: 'write', id: item.uploadId } as const;
  await storeRecords(sql, { ...target, definition: resource.definition, cause, records });
  return { title: connector.title, platformId: record.platformId };
}

async function tellTwin(
  { log }: Pick<WriteEngine, 'log'>,
  sql: TenantSql,
  {
    svcCompanyId,
    itemSvcId,
    item,
    twin,
  }: Pick<LookJobPayload, 'svcCompanyId' | 'itemSvcId'> & { readonly item: SentItem; readonly twin: Twin },
): Promise<void> {
  const warning: WriteWarning = {
    words: `${twin.title} has it twice, as it did carry out a request whose answer was lost: ${twin.platformId} is the other record; remove one of them there`,
    path: [],
  };
  log.warn(
    { itemSvcId, dataModel: item.dataModel, uploadId: item.uploadId },
    'a platform has a record twice',
  );
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE upload_items t SET warnings = t.warnings || ${query.bind(JSON.stringify([warning]))}::jsonb,
       svc_updated_at = now()
     WHERE ${query.rowsOf(svcCompanyId, 'svc_id', itemSvcId)}`,
  );
}
