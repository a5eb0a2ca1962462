import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readConfig } from '../dist/config/config.js';
import { integrationTypes } from '../dist/connectors/index.js';
import { beginAuthorization, finishAuthorization } from '../dist/connect/authorization.js';
import { findLink } from '../dist/connect/find-link.js';
import { connectDatabase, connectOwner } from '../dist/db/database.js';
import { Login } from '../dist/db/pool/login.js';
import { startEmbedded } from '../dist/db/embedded/index.js';
import { migrate } from '../dist/db/migrations/index.js';
import { approveConsent } from '../dist/demo/consent.js';
import { migrateJobs } from '../dist/jobs/migrate-jobs.js';
import { createOrganisation } from '../dist/operations/organisations/organisations.js';
import { findOrCreateCompany } from '../dist/operations/companies/companies.js';
import { createOutboundCaller } from '../dist/outbound/caller.js';
import { organisationScope } from '../dist/db/scope.js';
import { clientSecretPlace } from '../dist/platforms/client-credentials.js';
import { createSecretBox } from '../dist/secrets/secret-box.js';
import { startSync } from '../dist/sync/start-sync.js';
import { FLAGS } from '../scripts/flags.js';
import { ARENAS } from './processes.js';

const SECRET_KEY = Buffer.alloc(32, 'bench').toString('base64');
const secrets = createSecretBox([Buffer.from(SECRET_KEY, 'base64')]);
const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

/**
 * A database, the sandbox and the service, each in its own process; `role` as in ROLE.
 * @param {'worker' | 'all'} role
 * @param {Record<string, string>} settings more settings of the service
 */
export async function openPlatformsBench(role, settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-platforms-'));
  const embedded = await startEmbedded({ dataDir: folder });
  const client = new pg.Client({ connectionString: embedded.url });
  await client.connect();
  await client.query('CREATE DATABASE sandbox');
  await migrate(embedded.url);
  await migrateJobs(embedded.url);
  const sandboxDatabase = Object.assign(new URL(embedded.url), { pathname: '/sandbox' }).href;
  const options = ['--port', String(await freePort()), '--per-minute', '0', '--concurrent', '0'];
  const sandbox = await startChild(dist('cli/sandbox.js'), options, {
    SANDBOX_DATABASE_URL: sandboxDatabase,
  });
  const config = readConfig({ DATABASE_URL: embedded.url, SECRET_KEYS: SECRET_KEY }, integrationTypes);
  const login = new Login([embedded.url]);
  const database = await connectDatabase(login, config, { onError: () => undefined });
  const operator = connectOwner(login);
  const service = await startChild(dist('main.js'), [], {
    ROLE: role,
    PORT: '0',
    LIMIT_REQUESTS_PER_MINUTE: '0',
    LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
    WRITE_WAIT_MS: '55000',
    DATABASE_URL: embedded.url,
    DEMO_DATA: 'false',
    SANDBOX_URL: sandbox.url,
    SECRET_KEYS: SECRET_KEY,
    ...settings,
  });
  const outbound = createOutboundCaller({ allowPrivate: false, timeoutMs: 5000 });
  const services = { database, secrets, urls: { SVC_SANDBOX: sandbox.url }, outbound };
  return {
    database,
    operator,
    client,
    services,
    sandbox,
    service,
    close: async () => {
      for (const { child } of [service, sandbox]) child.kill('SIGKILL');
      await operator.close();
      await database.close();
      await client.end();
      await embedded.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port that is currently free. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function startChild(script, args, env) {
  const child = spawn(process.execPath, [...FLAGS, script, ...args], {
    env: { ...process.env, ...ARENAS, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const url = /http:\/\/[\w.:]+/.exec(text)?.[0];
      if (url || text.includes('ROLE=worker')) resolve({ child, url, pid: child.pid });
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

/** A control call to the sandbox. */
export async function control({ sandbox }, method, path, body) {
  const answer = await fetch(`${sandbox.url}/_sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Creates a company in the sandbox and one in the service, with an invite link to connect it. */
export async function makeCompany(rig, id, records) {
  const company = {
    id,
    name: `Company ${id}`,
    platforms: ['accounting'],
    seed: 1,
    trade: 'furniture',
    records,
  };
  await control(rig, 'POST', '/accounts', company);
  const { database, operator } = rig;
  const { svcId: organisationId } = await createOrganisation(operator.prisma, `Organisation ${id}`);
  const scope = organisationScope(organisationId);
  const client = database.client(scope);
  const owner = { svcOrganisationId: BigInt(organisationId) };
  const place = clientSecretPlace('SVC_SANDBOX', organisationId);
  const clientSecret = secrets.seal('sandbox-books-secret', place);
  await client.integration.create({
    data: { ...owner, integrationType: 'SVC_SANDBOX', clientId: 'sandbox-books', clientSecret },
  });
  const { svcId: svcCompanyId } = await findOrCreateCompany(client, scope, { name: company.name });
  const inviteLinkId = randomBytes(16).toString('hex');
  await client.inviteLink.create({ data: { ...owner, svcCompanyId: BigInt(svcCompanyId), inviteLinkId } });
  const link = await findLink(database.pool, inviteLinkId);
  return { id, svcCompanyId, scope, link };
}

/** Connects the company, which starts its first sync, and lifts its rate limit. */
export async function connect(rig, company) {
  const redirectUri = 'http://127.0.0.1/oauth/callback';
  const choice = { integrationType: 'SVC_SANDBOX', category: 'ACCOUNTING', redirectUri };
  const address = await beginAuthorization(rig.services, company.link, choice);
  const callback = await approveConsent(address, company.id);
  const connected = await finishAuthorization(rig.services, company.link, callback);
  await rig.client.query('UPDATE connections SET max_per_minute = 1000000 WHERE svc_id = $1', [
    connected.connectionId,
  ]);
  return connected;
}

export async function sync(rig, company, connectionId, request) {
  const { syncSvcId } = await rig.database.sql(company.scope).transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId: company.svcCompanyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels: null,
      ...request,
    }),
  );
  return syncSvcId;
}

/** Waits for a sync to end; returns its counts and duration. */
export async function ended(rig, syncSvcId) {
  for (;;) {
    const { rows } = await rig.client.query(
      `SELECT s.state, s.ended_at, extract(epoch FROM s.ended_at - s.started_at)::float8 AS seconds,
         sum(j.records_read)::int AS read, sum(j.created)::int AS created, sum(j.updated)::int AS updated,
         sum(j.deleted)::int AS deleted, sum(j.pages)::int AS pages
       FROM syncs s JOIN sync_jobs j ON j.sync_svc_id = s.svc_id WHERE s.svc_id = $1 GROUP BY 1, 2, 3`,
      [syncSvcId],
    );
    if (rows[0]?.ended_at) return rows[0];
    await sleep(50);
  }
}
