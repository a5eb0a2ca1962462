import type { Connector } from '../connectors/connector.js';
import type { Given, Opened, PlatformAccount } from '../connectors/access.js';
import { noteConnection } from '../outbox/note-connection.js';
import { noteActivity } from '../platforms/activities.js';
import { storeTokens } from '../platforms/credentials.js';
import { readSyncSettings } from '../sync/sync-config.js';
import { startSync } from '../sync/start-sync.js';
import type { OpenLink } from './find-link.js';
import { insertConnection } from './insert-connection.js';
import type { ConnectServices } from './services.js';

export interface Connected {
  readonly connector: Connector;
  readonly connectionId: number;
  readonly syncSvcId: number;
  readonly accountName: string | null;
}

interface NewConnection {
  readonly connector: Connector;
  readonly account: PlatformAccount;
  readonly given: Given;
  readonly opened: Opened;
}

/** Stores a connection with its tokens and starts its first sync, in one transaction. */
export async function storeConnection(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  { connector, account, given, opened }: NewConnection,
): Promise<Connected> {
  const settings = await readSyncSettings(database.client(link.scope), link.svcCompanyId, connector.category);
  const enabled = new Set(settings.filter((one) => one.enabled).map((one) => one.dataModel));
  const dataModels = connector.pulls
    .map(({ definition }) => definition.dataModel)
    .filter((dataModel) => enabled.has(dataModel));
  const place = {
    address: given.address,
    settings: { ...given.settings, ...opened.settings, ...account.settings },
  };
  const isRenewedByForm = connector.access.kind === 'form' && connector.access.renew !== undefined;
  const connected = await database.sql(link.scope).transaction(async (transaction) => {
    const { connectionId, before } = await insertConnection(transaction, link.svcCompanyId, {
      connector,
      account,
      place,
    });
    const key = { svcCompanyId: link.svcCompanyId, connectionId };
    const kept = isRenewedByForm ? given.secrets : null;
    await storeTokens({ sql: transaction, secrets, connection: key }, opened.tokens, kept);
    const { syncSvcId } = await startSync(transaction, {
      ...key,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels,
    });
    await noteConnection(transaction, { ...key, before });
    return { connector, connectionId, syncSvcId, accountName: account.name };
  });
  const company = { organisationId: link.scope.organisationId, companyId: link.svcCompanyId };
  await noteActivity(database.client(link.scope), company, 'CONNECTION_CREATED');
  return connected;
}
