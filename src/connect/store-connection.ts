import { randomUUID } from 'node:crypto';

import type { Connector } from '../connectors/connector.js';
import type { PlatformAccount } from '../connectors/access.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { noteConnection } from '../outbox/note-connection.js';
import { noteConnectionActivity } from '../platforms/activities.js';
import { storeTokens } from '../platforms/credentials.js';
import { pastRenewals } from '../platforms/past-renewals.js';
import { readSyncSettings } from '../sync/sync-config.js';
import { startSync } from '../sync/start-sync.js';
import { type Choice, type MadeConnection, noteMade, takeChoice } from './authorization-store.js';
import { keepOpen, type OpenLink } from './find-link.js';
import { type GrantedAccess, orRevoke } from './granted-access.js';
import { insertConnection } from './insert-connection.js';
import type { ConnectServices } from './services.js';

export interface ConnectedAccount {
  readonly connector: Connector;
  readonly connectionId: number;
  readonly syncSvcId: number;
}

interface NewConnections extends GrantedAccess {
  /** One connection per account. */
  readonly accounts: readonly PlatformAccount[];
  /** State of the authorisation that this ends; null if there was none. */
  readonly state: string | null;
  /** The customer's choice of them, which works once; null if there was none. */
  readonly choice: Choice | null;
}

/**
 * Stores the connections of one consent with their shared tokens and starts their first syncs, in one transaction.
 * Throws `not-found` if the link has ended meanwhile: the access is then ended at the platform, too.
 */
export const storeConnections = (
  services: ConnectServices,
  link: OpenLink,
  made: NewConnections,
): Promise<ConnectedAccount[]> =>
  orRevoke(services, link, made, () => pastRenewals(() => storeAll(services, link, made)));

async function storeAll(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  { connector, accounts, state, choice, given, opened }: NewConnections,
): Promise<ConnectedAccount[]> {
  const settings = await readSyncSettings(database.client(link.scope), link.svcCompanyId, connector.category);
  const enabled = new Set(settings.filter((one) => one.enabled).map((one) => one.dataModel));
  const dataModels = connector.pulls
    .map(({ definition }) => definition.dataModel)
    .filter((dataModel) => enabled.has(dataModel));
  const { svcCompanyId } = link;
  const insert = (transaction: TenantSql, account: PlatformAccount) => {
    const settings = { ...given.settings, ...opened.settings, ...account.settings };
    return insertConnection(transaction, svcCompanyId, {
      connector,
      account,
      place: { address: given.address, settings },
    });
  };
  const isRenewedByForm = connector.access.kind === 'form' && connector.access.renew !== undefined;
  const consent = { given: isRenewedByForm ? given.secrets : null, grantId: randomUUID() };
  return database.sql(link.scope).transaction(async (transaction) => {
    await keepOpen(transaction, link);
    if (choice) await takeChoice(transaction, link, choice);
    const made: (MadeConnection & { readonly before: string | null })[] = [];
    // Sorted, so that two concurrent consents for the same accounts cannot deadlock.
    const ordered = accounts.toSorted((a, b) => (a.externalAccountId < b.externalAccountId ? -1 : 1));
    for (const account of ordered) {
      const { externalAccountId } = account;
      made.push({ externalAccountId, ...(await insert(transaction, account)) });
    }
    if (state !== null) await noteMade({ sql: transaction, secrets }, link, { state, made });
    const connectionIds = made.map(({ connectionId }) => connectionId);
    // Same lock order as token renewals, to avoid deadlocks.
    for (const connectionId of connectionIds.toSorted((a, b) => a - b)) {
      const connection = { svcCompanyId, connectionId };
      await storeTokens({ sql: transaction, secrets, connection }, opened.tokens, consent);
    }
    const begun: ConnectedAccount[] = [];
    for (const connectionId of connectionIds) {
      const { syncSvcId } = await startSync(transaction, {
        svcCompanyId,
        connectionId,
        syncType: 'MANUAL',
        fullSync: false,
        syncFrom: null,
        dataModels,
      });
      begun.push({ connector, connectionId, syncSvcId });
    }
    for (const one of made) {
      await noteConnectionActivity(transaction, svcCompanyId, 'CONNECTION_CREATED');
      await noteConnection(transaction, { svcCompanyId, ...one });
    }
    return begun;
  });
}
