import { afterStoring } from '../../db/database-error.js';
import { connectorsOf, findConnector } from '../../connectors/index.js';
import type { Context } from '../../context.js';
import { AppError, invalid } from '../../errors.js';
import { requireEnabled } from '../../platforms/client-credentials.js';
import { requireAccess } from '../../platforms/scope-access.js';
import { startSync } from '../../sync/start-sync.js';
import { parsePast, readSyncSettings } from '../../sync/sync-config.js';
import { type Candidate, pickConnection } from '../connections/choose-connection.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope } from '../keys/require-scope.js';
import { getSync, type ListedSync } from './syncs.js';

interface SyncRequest {
  readonly companyId: number;
  readonly integrationType: string;
  /** Absent: the first healthy one with all the record types, accounting before others. */
  readonly connectionId?: number | null | undefined;
  readonly fullSync?: boolean | null | undefined;
  /** Absent: the record types enabled in the company's settings. */
  readonly dataModelsToSync?: readonly string[] | null | undefined;
  /** ISO 8601. */
  readonly syncFrom?: string | null | undefined;
}

/**
 * Starts a sync requested by a caller. Throws `invalid-params`, `not-found` for a missing company or connection,
 * `connection-expired` if the company must reconnect, `conflict` if the organisation has disabled its app.
 */
export async function requestSync(context: Context, request: SyncRequest): Promise<ListedSync> {
  requireScope(context, 'write', 'start syncs');
  connectorsOf(request.integrationType);
  const syncFrom = parseSyncFrom(request);
  await requireCompany(context.client, request.companyId, 'companyId');
  const named = request.dataModelsToSync ?? null;
  if (named?.length === 0) {
    throw invalid('dataModelsToSync', 'must name one record type or more');
  }
  const connection = await pickConnection(context.client, {
    ...request,
    missing: 'integrationType',
    // If none has all, the first one's error tells what it lacks.
    prefers: (candidate) => {
      const available = dataModelsOf(candidate);
      return named?.every((dataModel) => available.includes(dataModel)) ?? true;
    },
  });
  await requireEnabled(context.client, connection.integrationType);
  if (named) await requireReading(context, named, { ...connection, svcCompanyId: request.companyId });
  const dataModels = named ?? (await enabledDataModels(context, request.companyId, connection));
  const { syncId } = await context.sql.transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId: request.companyId,
      connectionId: connection.svcId,
      syncType: 'MANUAL',
      fullSync: request.fullSync ?? false,
      syncFrom,
      dataModels,
    }),
  );
  const started = await afterStoring(getSync(context, syncId));
  if (!started) throw new AppError('not-found', 'there is no such company', 'companyId');
  return started;
}

function parseSyncFrom({ syncFrom, fullSync }: SyncRequest): Date | null {
  if (syncFrom == null) return null;
  if (fullSync) throw invalid('syncFrom', 'cannot be used with a full sync, which reads everything');
  return parsePast(syncFrom, 'syncFrom');
}

const dataModelsOf = (connection: Candidate): string[] =>
  (findConnector(connection)?.pulls ?? []).map(({ definition }) => definition.dataModel);

async function requireReading(
  { client }: Context,
  dataModels: readonly string[],
  company: { readonly svcCompanyId: number; readonly category: string },
): Promise<void> {
  await requireAccess(client, { ...company, operations: ['read'], dataModels }, (index) => [
    'dataModelsToSync',
    index,
  ]);
}

async function enabledDataModels(
  { client }: Context,
  companyId: number,
  connection: Candidate,
): Promise<string[]> {
  const settings = await readSyncSettings(client, companyId, connection.category);
  const available = dataModelsOf(connection);
  const enabled = settings.filter((one) => one.enabled && available.includes(one.dataModel));
  if (enabled.length > 0) return enabled.map(({ dataModel }) => dataModel);
  throw invalid('dataModelsToSync', 'names none, and the settings of the company switch all off');
}
