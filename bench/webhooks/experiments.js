import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, KEY_SCOPES } from '../../dist/operations/keys/api-keys.js';
import { hashPlatformObject } from '../../dist/connectors/data-hash.js';
import { definitionOf } from '../../dist/records/index.js';
import { storeRecords } from '../../dist/store/store-records.js';
import { connect, ended, makeCompany } from '../platforms-rig.js';
import { cpuOf } from '../usage.js';

const say = (text) => process.stdout.write(`${text}\n`);
const percentile = (values, share) =>
  [...values].sort((one, other) => one - other)[Math.floor(share * (values.length - 1))];

/** A connected company, a receiver that answers at once, and what is needed to store and to subscribe. */
export async function prepareSender(rig) {
  const company = await makeCompany(rig, 'sender', 100);
  const { syncSvcId, connectionId } = await connect(rig, company);
  await ended(rig, syncSvcId);
  const { key: apiKey } = await createApiKey(rig.operator.prisma, {
    organisationId: company.scope.organisationId,
    name: 'bench',
    scopes: KEY_SCOPES,
  });
  /** When each event came, by the name of its record. */
  const got = new Map();
  let count = 0;
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      count += 1;
      const name = /"name":"([^"]*)"/.exec(Buffer.concat(parts).toString())?.[1];
      if (name && !got.has(name)) got.set(name, performance.now());
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  const call = async (method, path, body) => {
    const answer = await fetch(`${rig.service.url}/v3/core/webhooks${path}`, {
      method,
      headers: { api_key: apiKey, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const parsed = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`);
    return parsed;
  };
  let stored = 0;
  /** Stores new records as a sync does; the names that they have. */
  const store = async (number) => {
    const names = Array.from({ length: number }, () => `record ${(stored += 1)}`);
    const records = names.map((name) => {
      const platform = { id: name, name };
      const raw = { text: JSON.stringify(platform), altered: false };
      return {
        platformId: name,
        values: { name },
        raw,
        dataHash: hashPlatformObject(platform),
        mapperVersion: 1,
      };
    });
    await storeRecords(rig.database.sql(company.scope), {
      definition: definitionOf('Account'),
      svcCompanyId: company.svcCompanyId,
      connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'sync', id: null },
      records,
    });
    return names;
  };
  const subscribe = (more = {}) =>
    call('POST', '', { webhook: { name: 'bench', type: 'DATA_MODEL_CHANGES', url, ...more } });
  return {
    rig,
    call,
    store,
    subscribe,
    got,
    count: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What storing costs this process, which does what a sync does then, with ten webhooks and with none. */
export async function storing(sender, number) {
  const run = async () => {
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    for (let left = number; left > 0; left -= 100) await sender.store(100);
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - began, cpu: (user + system) / 1000 };
  };
  await run();
  // They watch what does not change: what they are sent is not measured here, but what they cost whoever stores.
  const without = await run();
  const made = [];
  for (let index = 0; index < 10; index += 1) made.push(await sender.subscribe({ data_models: ['BILLS'] }));
  const withTen = await run();
  for (const { id } of made) await sender.call('DELETE', `/${id}`);
  const share = (one, other) => `${(100 * (one / other - 1)).toFixed(1)} %`;
  say(
    `storing ${number} records      ${without.ms.toFixed(0)} ms, CPU ${without.cpu.toFixed(0)} ms; with 10 webhooks ` +
      `${share(withTen.ms, without.ms)} longer, ${share(withTen.cpu, without.cpu)} more CPU`,
  );
}

/** Events that are there, as fast as one receiver gets them. */
export async function throughput(sender, number) {
  const { id } = await sender.subscribe();
  const since = new Date();
  for (let left = number; left > 0; left -= 1000) await sender.store(Math.min(left, 1000));
  // All once as they come, and all of them again when nothing else is done.
  const until = async (target) => {
    while (sender.count() < target) await sleep(5);
  };
  await until(number);
  const before = sender.count();
  const cpu = cpuOf(sender.rig.service.pid);
  const began = performance.now();
  await sender.call('POST', `/${id}/redeliver`, { since: new Date(since.getTime() - 1000) });
  await until(before + number);
  const ms = performance.now() - began;
  const used = (cpuOf(sender.rig.service.pid) - cpu) / number;
  say(
    `${number} events to one receiver ${Math.round((1000 * number) / ms)} events/s; service CPU ${used.toFixed(2)} ms an event`,
  );
  await sender.call('DELETE', `/${id}`);
}

/** From the end of a commit to the receiver, one record after the other. */
export async function latency(sender, number) {
  const { id } = await sender.subscribe();
  const times = [];
  for (let index = 0; index < number; index += 1) {
    const [name] = await sender.store(1);
    const committed = performance.now();
    while (!sender.got.has(name)) await sleep(1);
    times.push(Math.max(0, sender.got.get(name) - committed));
    await sleep(20);
  }
  const figure = (share) => `${percentile(times, share).toFixed(1)} ms`;
  say(`from commit to delivery        p50 ${figure(0.5)}, p95 ${figure(0.95)}, at most ${figure(1)}`);
  await sender.call('DELETE', `/${id}`);
}
