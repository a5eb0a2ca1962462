import { connectorFor, connectorsOf } from '../../connectors/index.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import { openPlatform } from '../../platforms/access.js';
import { keptPlace, reachOf } from '../../platforms/reach.js';
import type { RecordDefinition } from '../../records/define.js';
import { lookupsFor } from '../../store/lookups.js';
import { pickConnection } from '../connections/choose-connection.js';
import { mapObjects } from '../../store/map-objects.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope } from '../keys/require-scope.js';
import { storeRecords } from '../../store/store-records.js';

/** Which record is to be read from its platform. Reference G11, real_time. */
interface RecordToRead {
  readonly definition: RecordDefinition;
  readonly companyId: number;
  readonly platformId: string;
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
}

/** Where the record stands now. */
interface ReadRecord {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly platformId: string;
}

/** How long the connection's budget is waited for. */
const PATIENCE_MS = 5000;

/**
 * Reads one record from its platform at once, and stores it as a sync would. Throws `not-found` where the platform has
 * none, `operation-denied` where it cannot be asked for one, `connection-expired`, and the `platform-*` codes.
 */
export async function readRecord(context: Context, wanted: RecordToRead): Promise<ReadRecord> {
  requireScope(context, 'write', 'read records from platforms');
  const { definition, companyId, platformId } = wanted;
  if (wanted.integrationType != null) connectorsOf(wanted.integrationType);
  await requireCompany(context.client, companyId, 'companyId');
  const connection = await pickConnection(context.client, { ...wanted, category: definition.category });
  const connector = connectorFor(connection.integrationType, connection.category);
  const resource = connector.pulls.find((one) => one.definition === definition);
  if (!resource?.read) {
    const can = connector.pulls.filter((one) => one.read).map((one) => one.definition.dataModel);
    const message = `Operation Denied: ${connector.title} cannot be asked for one of ${definition.dataModel}; it can for ${can.join(', ') || 'nothing'}`;
    throw new AppError('operation-denied', message, 'dataModel');
  }
  const { sql, client, secrets } = context;
  const reach = reachOf(context, connection.integrationType, keptPlace(connection));
  const target = {
    svcCompanyId: companyId,
    connectionId: connection.svcId,
    integrationType: connection.integrationType,
  };
  const platform = openPlatform(
    { sql, client, secrets, reach, connector, connection: target },
    connection.externalAccountId,
    { use: 'write', patienceMs: PATIENCE_MS },
  );
  const object = await resource.read(platform, platformId);
  if (!object) throw new AppError('not-found', `${connector.title} has no such record`, 'platformId');
  const company = await client.company.findFirstOrThrow({ where: { svcId: BigInt(companyId) } });
  const lookups = await lookupsFor(sql, target, { resource, objects: [object] }, company.baseCurrencyCode);
  const { records, unmapped } = mapObjects(resource, [object], lookups);
  const [record] = records;
  if (!record) {
    const message = unmapped[0]?.message ?? `${connector.title} has something else by this id`;
    throw new AppError('platform-answer', message);
  }
  await storeRecords(sql, { ...target, definition, cause: { kind: 'sync', id: null }, records });
  return { svcCompanyId: companyId, connectionId: connection.svcId, platformId: record.platformId };
}
