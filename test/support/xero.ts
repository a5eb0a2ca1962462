import type { App } from '../../src/app.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { storeTokens } from '../../src/platforms/credentials.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startSync } from '../../src/sync/start-sync.js';
import type { Organisation } from '../connectors/xero-fake/domain.js';
import { makeOrganisation } from '../connectors/xero-fake/makers/organisation.js';
import { startXeroFake, type XeroFake } from '../connectors/xero-fake/server.js';
import { admin } from './admin.js';
import { engineOf, testSecrets } from './sandbox.js';
import { createTenant, type Tenant } from './seed.js';

/** A company connected to an organisation at Xero, whose base currency is not known yet. */
export interface XeroTenant extends Tenant {
  readonly books: Organisation;
  /** Platform URLs for an engine. */
  readonly urls: { readonly XERO: string };
  /** Paths and queries of all calls so far. */
  readonly calls: readonly string[];
  /** Runs a new sync to its end; returns its state. */
  sync(dataModels: readonly string[], options?: { readonly fullSync?: boolean }): Promise<string>;
  /** The same with an existing sync. */
  run(syncSvcId: number): Promise<string>;
  stop(): Promise<void>;
}

export async function createXeroTenant(app: App, name: string, dayLimit?: number): Promise<XeroTenant> {
  return createTenantOf(app, name, await startXero(dayLimit));
}

/** An organisation at Xero and its running fake. */
export interface RunningXero extends XeroFake {
  readonly books: Organisation;
}

export async function startXero(dayLimit?: number): Promise<RunningXero> {
  const books = makeOrganisation();
  return { books, ...(await startXeroFake(books, () => new Date(), dayLimit)) };
}

/** The same with a Xero that is already running: an app that reads from it during requests knows its address. */
export async function createTenantOf(app: App, name: string, xero: RunningXero): Promise<XeroTenant> {
  const { books } = xero;
  const tenant = await createTenant(app, name);
  const { organisationId, companyId, connectionId } = tenant;
  const sql = app.database.sql(tenant.scope);
  const connection = { svcCompanyId: companyId, connectionId };
  await admin.prisma.company.updateMany({
    where: { svcId: BigInt(companyId) },
    data: { baseCurrencyCode: null },
  });
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: { integrationType: 'XERO', externalAccountId: books.tenantId, baseCurrencyCode: null },
  });
  await renewLimits(admin);
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'XERO',
      clientId: 'an app',
      clientSecret: testSecrets.seal('its secret', clientSecretPlace('XERO', organisationId)),
    },
  });
  await storeTokens(
    { sql, secrets: testSecrets, connection },
    { accessToken: xero.issueToken(), refreshToken: null, expiresAt: null },
  );
  const urls = { XERO: `${xero.url}/api.xro/2.0` };
  const run = async (syncSvcId: number): Promise<string> => {
    await runSync(
      { ...engineOf(app, ''), urls },
      { organisationId, svcCompanyId: companyId, syncSvcId },
      { workerId: 'test', signal: new AbortController().signal },
    );
    return (await admin.prisma.sync.findFirstOrThrow({ where: { svcId: BigInt(syncSvcId) } })).state;
  };
  return {
    ...tenant,
    books,
    urls,
    calls: xero.calls,
    run,
    sync: async (dataModels, { fullSync = false } = {}) => {
      const { syncSvcId } = await sql.transaction((transaction) =>
        startSync(transaction, {
          ...connection,
          syncType: 'MANUAL',
          fullSync,
          syncFrom: null,
          dataModels,
        }),
      );
      return run(syncSvcId);
    },
    stop: () => xero.stop(),
  };
}
