import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort, ServiceProcess } from '../../../chaos/processes.js';
import { readConfig } from '../../../dist/config/config.js';
import { integrationTypes } from '../../../dist/connectors/index.js';
import { connectOwner } from '../../../dist/db/database.js';
import { startEmbedded } from '../../../dist/db/embedded/index.js';
import { Login } from '../../../dist/db/pool/login.js';
import { migrate } from '../../../dist/db/migrations/index.js';
import { migrateJobs } from '../../../dist/jobs/migrate-jobs.js';
import { createApiKey } from '../../../dist/operations/keys/api-keys.js';
import { createOrganisation } from '../../../dist/operations/organisations/organisations.js';
import { RECORD_TYPES } from './compare.js';

/** A killed call keeps its slot among the concurrent calls for two minutes. */
const SYNC_PATIENCE_MS = 300_000;
const START_PATIENCE_MS = 60_000;
const TYPE = 'VENDURE';

/** This service as deployed: a gateway and a worker on their own database, used as a customer would. */
export async function startService(tell) {
  const closing = [];
  const stop = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    tell('starting this service');
    const folder = mkdtempSync(join(tmpdir(), 'svc-books-'));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const server = await startEmbedded({ dataDir: folder });
    closing.push(() => server.stop());
    await migrate(server.url);
    await migrateJobs(server.url);
    const port = await freePort();
    const env = {
      DATABASE_URL: server.url,
      DEMO_DATA: 'false',
      SECRET_KEYS: Buffer.alloc(32, 'vendure').toString('base64'),
      HOST: '127.0.0.1',
      PORT: String(port),
      // The shop runs on this machine.
      ALLOW_PRIVATE_ADDRESSES: 'true',
      LOG_LEVEL: 'fatal',
    };
    // Also validates the settings.
    readConfig(env, integrationTypes);
    const start = (name, role) => {
      const started = new ServiceProcess(name, {
        script: 'service.js',
        env: { ...env, ROLE: role },
        onPoint: () => undefined,
      });
      closing.push(() => started.stop());
      return started;
    };
    const worker = start('worker', 'worker');
    await untilReady(worker);
    const gateway = start('gateway', 'gateway');
    await untilReady(gateway);
    const key = await makeKey(server.url);
    return { ...client(`http://127.0.0.1:${port}`, key), worker, gateway, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(started) {
  for (const patience = Date.now() + START_PATIENCE_MS; !started.isReady; await sleep(50)) {
    if (Date.now() > patience) throw new Error(`the ${started.name} does not start`);
    if (started.faults.length > 0) throw new Error(started.faults[0]);
  }
}

async function makeKey(databaseUrl) {
  const operator = connectOwner(new Login([databaseUrl]));
  try {
    const { svcId } = await createOrganisation(operator.prisma, 'Vendure');
    const scopes = ['read', 'write', 'integrations:secrets'];
    return (await createApiKey(operator.prisma, { organisationId: svcId, name: 'test', scopes })).key;
  } finally {
    await operator.close();
  }
}

/** What a customer does over REST and GraphQL, and a company's user on the link page. */
function client(url, key) {
  const call = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { api_key: key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const ask = async (query, variables) => {
    const { data, errors } = await call('POST', '/graphql', { query, variables });
    if (errors) throw new Error(`${JSON.stringify(errors)}\n${query}`);
    return data;
  };
  const sync = async (companyId, { fullSync }) => {
    const started = await call('POST', '/v3/core/syncs', {
      company_id: companyId,
      integration_type: TYPE,
      full_sync: fullSync,
      data_models_to_sync: RECORD_TYPES,
    });
    return () => untilSynced(started.data.sync_id);
  };
  async function untilSynced(id) {
    for (const patience = Date.now() + SYNC_PATIENCE_MS; ; await sleep(200)) {
      const { data } = await call('GET', `/v3/core/syncs/${id}`);
      if (data.status === 'SUCCESS') return;
      if (data.status === 'FAILED' || Date.now() > patience) {
        const jobs = await call('GET', `/v3/core/syncs/${id}/jobs`);
        throw new Error(`the sync is ${data.status}: ${JSON.stringify(jobs.data)}`);
      }
    }
  }
  return { url, ask, sync, connect: (shop) => connect({ url, call, untilSynced }, shop) };
}

/** Creates an invite link, enters the shop's address and key on its page, and waits for the first sync. */
async function connect({ url, call, untilSynced }, { address, apiKey }) {
  await call('POST', '/integrations', { integration_type: TYPE });
  const { data: link } = await call('POST', '/v3/core/invite_links', {
    company_name: 'Sample Shop',
    integration_categories: ['ECOMMERCE'],
    integrations: [TYPE],
  });
  const page = `${url}/link/${link.invite_link_id}`;
  const type = (typed) =>
    fetch(page, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ platform: `${TYPE}:ECOMMERCE`, ...typed }),
    });
  const refused = await type({ 'given.address': address, 'given.api_key': 'not a key' });
  const words = await refused.text();
  if (refused.status !== 400 || !words.includes('must be a key that this shop accepts')) {
    throw new Error(`a wrong key is answered ${refused.status}`);
  }
  const opened = await type({ 'given.address': address, 'given.api_key': apiKey });
  if (opened.status !== 303)
    throw new Error(`the link page answers ${opened.status}: ${await opened.text()}`);
  const companyId = link.company.svc_id;
  const { data: syncs } = await call('GET', `/v3/core/syncs?svc_company_id=${companyId}`);
  await untilSynced(syncs[0].sync_id);
  return companyId;
}
