import type { PlatformClient, PlatformObject } from '../../connectors/platform.js';
import type { PullResource } from '../../connectors/pull.js';
import { connectorsOf } from '../../connectors/index.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { RecordDefinition } from '../../records/define.js';
import { lookupsFor } from '../../store/lookups.js';
import { pickConnection } from '../connections/choose-connection.js';
import { reachConnection } from '../connections/reach-connection.js';
import { mapObjects } from '../../store/map-objects.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope } from '../keys/require-scope.js';
import { requireAccess } from '../../platforms/scope-access.js';
import { storeRecords } from '../../store/store-records.js';

/** The record to read from its platform. Reference G11, real_time. */
interface RecordToRead {
  readonly definition: RecordDefinition;
  readonly companyId: number;
  /** Absent if an account has only one. */
  readonly platformId?: string | null | undefined;
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
}

/** The stored record. */
interface ReadRecord {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly platformId: string;
}

/**
 * Reads one record from its platform immediately, and stores it as a sync would. Throws `not-found` if the platform has
 * none, `operation-denied` if it does not support single reads, `connection-expired`, `conflict` if its integration is
 * disabled, and the `platform-*` codes.
 */
export async function readRecord(context: Context, wanted: RecordToRead): Promise<ReadRecord> {
  requireScope(context, 'write', 'read records from platforms');
  const { definition, companyId, platformId } = wanted;
  if (platformId == null && !definition.isOnly) {
    throw new AppError('missing-params', `It names one of ${definition.dataModel}`, 'platformId');
  }
  if (wanted.integrationType != null) connectorsOf(wanted.integrationType);
  await requireCompany(context.client, companyId, 'companyId');
  const connection = await pickConnection(context.client, { ...wanted, category: definition.category });
  await requireAccess(
    context.client,
    { ...connection, svcCompanyId: companyId, operations: ['read'], dataModels: [definition.dataModel] },
    () => 'dataModel',
  );
  const { connector, platform } = await reachConnection(context, companyId, connection);
  const resource = connector.pulls.find((one) => one.definition === definition);
  const read = resource && readerOf(resource, platformId ?? null);
  if (!resource || !read) {
    const can = connector.pulls.filter((one) => one.read).map((one) => one.definition.dataModel);
    const message = `Operation Denied: ${connector.title} cannot be asked for a single record of ${definition.dataModel}; it can for ${can.join(', ') || 'nothing'}`;
    throw new AppError('operation-denied', message, 'dataModel');
  }
  const { sql } = context;
  const target = {
    svcCompanyId: companyId,
    connectionId: connection.svcId,
    integrationType: connection.integrationType,
  };
  const object = await read(platform);
  if (!object) throw new AppError('not-found', `${connector.title} has no such record`, 'platformId');
  const lookups = await lookupsFor(sql, target, { resource, objects: [object] }, connection.baseCurrencyCode);
  const { records, unmapped } = mapObjects(resource, [object], lookups);
  const [record] = records;
  if (!record) {
    const message = unmapped[0]?.message ?? `${connector.title} has something else by this id`;
    throw new AppError('platform-answer', message);
  }
  await storeRecords(sql, { ...target, definition, cause: { kind: 'sync', id: null }, records });
  return { svcCompanyId: companyId, connectionId: connection.svcId, platformId: record.platformId };
}

/** How to read one record: by its id, or as the account's only one. */
function readerOf(
  resource: PullResource,
  platformId: string | null,
): ((platform: PlatformClient) => Promise<PlatformObject | null>) | undefined {
  const { read } = resource;
  if (platformId !== null) return read && ((platform) => read(platform, platformId));
  return async (platform) => {
    for await (const { objects } of resource.pages(platform, { since: null, cursor: null })) {
      const [only] = objects;
      if (only) return only;
    }
    return null;
  };
}
