import { randomBytes } from 'node:crypto';
import type { App } from '../../src/app.js';
import { beginAuthorization, finishAuthorization } from '../../src/connect/authorization.js';
import type { ConnectedAccount } from '../../src/connect/store-connection.js';
import { findLink, type OpenLink } from '../../src/connect/find-link.js';
import { approveConsent } from '../../src/demo/consent.js';
import { createLog } from '../../src/telemetry/log.js';
import { createOrganisation } from '../../src/operations/organisations/organisations.js';
import { findOrCreateCompany } from '../../src/operations/companies/companies.js';
import { organisationScope } from '../../src/db/scope.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import type { FileStore } from '../../src/files/file-store.js';
import type { Category } from '../../src/records/define.js';
import { type Sandbox, type SandboxOptions, SHARED_CLIENT, startSandbox } from '../../src/sandbox/index.js';
import { type Platform, PLATFORMS } from '../../src/sandbox/platform.js';
import { createOutboundCaller } from '../../src/outbound/caller.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { LeaseLost } from '../../src/runs/lease.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { readChanged } from '../../src/sync/read-changed.js';
import { runSync } from '../../src/sync/run-sync.js';
import { type NewSync, startSync } from '../../src/sync/start-sync.js';
import type { WriteEngine } from '../../src/writes/engine.js';
import { TEST_SECRET_KEY, testDatabaseUrl } from './service.js';
import { until } from './until.js';
import { admin } from './admin.js';

/** The redirect URI that the sandbox's platforms accept. */
export const REDIRECT_URI = 'http://127.0.0.1/oauth/callback';
/** Calls typed-in addresses, including those of this machine. */
export const testOutbound = createOutboundCaller({ allowPrivate: true, timeoutMs: 15_000 });
export const testSecrets = createSecretBox([Buffer.from(TEST_SECRET_KEY, 'base64')]);

/** Starts the three platforms on this file's database, with the service's app registered. */
export function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return startSandbox({
    databaseUrl: testDatabaseUrl(),
    companies: [],
    limits: { perMinute: 0, concurrent: 0 },
    log: createLog('silent'),
    ...options,
  });
}

const PLATFORM = {
  ACCOUNTING: 'accounting',
  PAYMENTS: 'payments',
  ECOMMERCE: 'ecommerce',
} as const satisfies Record<Category, Platform>;

const TEST_PATIENCE = { fileMilliseconds: 5000, lateMilliseconds: 1000 };

export function engineOf(
  app: App,
  sandboxUrl: string,
  settings: Partial<SyncEngine['settings']> = {},
): SyncEngine {
  return {
    database: app.database,
    secrets: testSecrets,
    urls: { SVC_SANDBOX: sandboxUrl },
    outbound: testOutbound,
    log: createLog('silent'),
    settings: { maxDeletedShare: 0.3, sweepHours: 24, ...settings },
  };
}

/** The engine for writes in tests. */
export const writeEngineOf = (engine: SyncEngine, files: FileStore): SyncEngine & WriteEngine => ({
  ...engine,
  files,
  patience: TEST_PATIENCE,
  readChanged,
});

let made = 0;

/** A company with an account at the sandbox, in a separate organisation. */
export interface SandboxTenant {
  readonly organisationId: number;
  readonly companyId: number;
  readonly link: OpenLink;
  readonly account: string;
  connect(category: Category): Promise<ConnectedAccount>;
  /** Runs a new sync to its end, or as far as it gets now. */
  sync(connected: ConnectedAccount, request?: Partial<NewSync>): Promise<number>;
  run(syncSvcId: number, signal?: AbortSignal): Promise<void>;
}

export async function createSandboxTenant(
  engine: SyncEngine,
  sandbox: Sandbox,
  options: {
    readonly records?: number | null;
    /** Where it has its account at once; elsewhere it gets one when it connects. By default all. */
    readonly platforms?: readonly Platform[];
  } = {},
): Promise<SandboxTenant> {
  made += 1;
  const account = `test-${process.pid}-${made}-${randomBytes(3).toString('hex')}`;
  const inSandbox = {
    id: account,
    name: `Company ${account}`,
    seed: made,
    trade: 'furniture',
    records: options.records ?? null,
  } as const;
  const platforms = new Set(options.platforms ?? PLATFORMS);
  await sandbox.createCompany({ ...inSandbox, platforms: [...platforms] });
  const { prisma } = admin;
  const organisation = await createOrganisation(prisma, `Organisation ${account}`);
  const organisationId = organisation.svcId;
  const scope = organisationScope(organisationId);
  const client = engine.database.client(scope);
  const owner = { svcOrganisationId: BigInt(organisationId) };
  await client.integration.create({
    data: {
      ...owner,
      integrationType: 'SVC_SANDBOX',
      clientId: SHARED_CLIENT.clientId,
      clientSecret: testSecrets.seal(
        SHARED_CLIENT.clientSecret,
        clientSecretPlace('SVC_SANDBOX', organisationId),
      ),
    },
  });
  const company = await findOrCreateCompany(client, scope, { name: `Company ${account}` });
  const { inviteLinkId } = await client.inviteLink.create({
    data: {
      ...owner,
      svcCompanyId: BigInt(company.svcId),
      inviteLinkId: randomBytes(16).toString('hex'),
      integrations: ['SVC_SANDBOX'],
    },
  });
  const link = await findLink(engine.database.pool, inviteLinkId);
  if (!link) throw new Error('no link');
  const run = (syncSvcId: number, signal = new AbortController().signal) =>
    runSync(engine, { organisationId, svcCompanyId: company.svcId, syncSvcId }, { workerId: 'test', signal });
  return {
    organisationId,
    companyId: company.svcId,
    link,
    account,
    run,
    connect: async (category) => {
      const platform = PLATFORM[category];
      if (!platforms.has(platform)) {
        platforms.add(platform);
        await sandbox.createCompany({ ...inSandbox, platforms: [platform] });
      }
      const choice = { integrationType: 'SVC_SANDBOX', category, redirectUri: REDIRECT_URI };
      const address = await beginAuthorization(engine, link, choice);
      const made = await finishAuthorization(engine, link, await approveConsent(address, account));
      if ('accounts' in made) throw new Error('the sandbox gives one account for a code');
      return made;
    },
    sync: async ({ connectionId }, request = {}) => {
      const { syncSvcId } = await engine.database.sql(scope).transaction((transaction) =>
        startSync(transaction, {
          svcCompanyId: company.svcId,
          connectionId,
          syncType: 'MANUAL',
          fullSync: false,
          syncFrom: null,
          dataModels: null,
          ...request,
        }),
      );
      // A worker of the test may have claimed the sync: then wait until it has run it.
      await run(syncSvcId).catch(async (error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        await untilRested(syncSvcId);
      });
      return syncSvcId;
    },
  };
}

/** Waits until a sync is no longer running. */
async function untilRested(syncSvcId: number): Promise<void> {
  await until(`the end of sync ${syncSvcId}`, async () => {
    const { state } = await admin.prisma.sync.findFirstOrThrow({ where: { svcId: BigInt(syncSvcId) } });
    return state !== 'RUNNING' && state !== 'PENDING';
  });
}

/** A control call to the sandbox. */
export async function control(sandbox: Sandbox, method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}
