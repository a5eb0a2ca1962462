import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, KEY_SCOPES } from '../../dist/operations/keys/api-keys.js';
import { hashPlatformObject } from '../../dist/connectors/values/data-hash.js';
import { definitionOf } from '../../dist/records/index.js';
import { storeRecords } from '../../dist/store/store-records.js';
import { connect, ended, makeCompany } from '../platforms-rig.js';
import { cpuOf, parentOf } from '../usage.js';

const say = (text) => process.stdout.write(`${text}\n`);
const percentile = (values, share) =>
  [...values].sort((one, other) => one - other)[Math.floor(share * (values.length - 1))];

/** A connected company, a receiver that answers immediately, and functions to store records and to subscribe. */
export async function prepareSender(rig) {
  const company = await makeCompany(rig, 'sender', 100);
  const { syncSvcId, connectionId } = await connect(rig, company);
  await ended(rig, syncSvcId);
  const { key: apiKey } = await createApiKey(rig.operator.prisma, {
    organisationId: company.scope.organisationId,
    name: 'bench',
    scopes: KEY_SCOPES,
  });
  /** Arrival time of each event, by the name of its record. */
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
  const call = webhookCalls(rig, apiKey);
  let stored = 0;
  /** Stores new records as a sync does; returns their names. */
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

/**
 * The cost of a first sync with ten webhooks and without, in turns: CPU of the service and the database, and
 * transactions. The webhooks watch every record that the sync stores, but only want deletions: this measures the cost
 * of following changes; `throughput` measures sending.
 */
export async function syncing(rig, records, rounds) {
  const { rows } = await rig.client.query('SELECT pg_backend_pid() AS pid');
  const database = parentOf(rows[0].pid);
  const transactions = async () => {
    await rig.client.query('SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()');
    const { rows } = await rig.client.query(
      `SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()`,
    );
    return rows[0].count;
  };
  const run = async (name, webhooks) => {
    const company = await makeCompany(rig, name, records);
    const made = await followWith(rig, company, webhooks);
    const before = [cpuOf(rig.service.pid), cpuOf(database), await transactions()];
    const { syncSvcId } = await connect(rig, company);
    const { seconds } = await ended(rig, syncSvcId);
    // Includes polling by idle workers and by this process, in both cases.
    const after = [cpuOf(rig.service.pid), cpuOf(database), await transactions()];
    await made.end();
    return [...after.map((value, index) => value - before[index]), seconds];
  };
  await run('warm', 0);
  const rises = [];
  for (let round = 0; round < rounds; round += 1) {
    const without = await run(`none-${round}`, 0);
    const withTen = await run(`ten-${round}`, 10);
    rises.push(withTen.map((value, index) => 100 * (value / without[index] - 1)));
    say(
      `sync of ${records} records      service CPU ${without[0]} ms, database CPU ${without[1]} ms, ${without[2]} transactions, ` +
        `${without[3].toFixed(1)} s; with 10 webhooks ${withTen[0]} ms, ${withTen[1]} ms, ${withTen[2]}, ${withTen[3].toFixed(1)} s`,
    );
  }
  const [service, data, commits] = [0, 1, 2].map((index) => {
    const median = percentile(
      rises.map((rise) => rise[index]),
      0.5,
    );
    return `${median.toFixed(1)} %`;
  });
  say(
    `  median with 10 webhooks     service CPU ${service}, database CPU ${data}, transactions ${commits} more`,
  );
}

/** Webhooks of a company's organisation, created and removed with its own key. */
async function followWith(rig, { scope }, count) {
  const { key } = await createApiKey(rig.operator.prisma, {
    organisationId: scope.organisationId,
    name: 'bench',
    scopes: KEY_SCOPES,
  });
  const call = webhookCalls(rig, key);
  const ids = [];
  for (let index = 0; index < count; index += 1) {
    const webhook = {
      name: 'bench',
      type: 'DATA_MODEL_CHANGES',
      url: 'http://127.0.0.1:9/',
      operations: ['DELETE'],
    };
    ids.push((await call('POST', '', { webhook })).id);
  }
  return {
    end: async () => {
      for (const id of ids) await call('DELETE', `/${id}`);
    },
  };
}

const webhookCalls = (rig, apiKey) => async (method, path, body) => {
  const answer = await fetch(`${rig.service.url}/v3/core/webhooks${path}`, {
    method,
    headers: { api_key: apiKey, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const parsed = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`);
  return parsed;
};

/** How fast one receiver gets a backlog of events. */
export async function throughput(sender, number) {
  const { id } = await sender.subscribe();
  const since = new Date();
  for (let left = number; left > 0; left -= 1000) await sender.store(Math.min(left, 1000));
  // First delivers all events as they are stored, then all of them again while nothing else runs.
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

/** Time from commit to receiver, one record after the other. */
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
