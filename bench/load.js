import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { cpuOf, memoryOf } from './usage.js';

const CONNECTIONS = 16;

/**
 * Loads a target for some seconds and reports the results. Throws if an answer is not 200, or 304 for a client that
 * has the answer.
 */
export async function load(target, seconds, databaseCpu) {
  const { server, requests } = target;
  const before = { cpu: cpuOf(server.pid), database: await databaseCpu(server) };
  const result = await autocannon({ url: server.url, connections: CONNECTIONS, duration: seconds, requests });
  const answered = result[target.isKnown ? '3xx' : '2xx'];
  const refused = result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'] - answered;
  if (result.errors > 0 || refused > 0) {
    throw new Error(`${target.name}: ${result.errors} errors and ${refused} refusals under load`);
  }
  return {
    perSecond: answered / result.duration,
    p50: answered > 0 ? result.latency.p50 : NaN,
    p99: answered > 0 ? result.latency.p99 : NaN,
    cpu: (cpuOf(server.pid) - before.cpu) / answered,
    databaseCpu: sinceThen(before.database, await databaseCpu(server)) / answered,
    memory: memoryOf(server.pid),
  };
}

/** How rounds inspect the database that `client` is connected to. */
export const createWatch = (client) => ({
  databaseCpu: createDatabaseCpu(client),
  untilIdle: () => untilIdle(client),
});

/** Waits until the database is idle, so that the next target does not pay for aborted requests. */
export async function untilIdle(client) {
  for (let tries = 0; tries < 300; tries += 1) {
    const { rows } = await client.query(
      `SELECT count(*)::int AS active FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    if (rows[0].active === 0) return;
    await sleep(100);
  }
}

/** Reads the CPU of the database processes that serve a server, by pid; NaN if they are on another machine. */
function createDatabaseCpu(client) {
  return async ({ databaseName }) => {
    const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [
      databaseName,
    ]);
    return new Map(rows.map(({ pid }) => [pid, cpuOf(pid)]));
  };
}

function sinceThen(before, after) {
  return [...after].reduce((sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? 0), 0);
}
