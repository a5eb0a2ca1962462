import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../dist/db/__generated__/client.js';
import { createApiKey } from '../dist/operations/keys/api-keys.js';
import { checkTargets } from './check.js';
import { guarded } from './guard.js';
import { createWatch, load } from './load.js';
import { install, startServer } from './processes.js';
import { workloads } from './workloads/index.js';

const WARM_UP_SECONDS = 3;
/** Warm-up before each round, as idle connections were closed. */
const REWARM_SECONDS = 1;
/** For a guarded workload. */
const MAX_ATTEMPTS = 3;

/** Runs the chosen workloads and adds each one to `results`, with the figures of its targets in each round. */
export async function runWorkloads(
  { url, client },
  results,
  { only, rounds, seconds, minutes, target, ...options },
) {
  const bench = {
    ...(await startServers(url, options)),
    company: 1001,
    databaseUrl: url,
    rounds,
    minutes,
  };
  for (const name of only) {
    const workload = workloads[name];
    process.stderr.write(`${name} `);
    if (workload.run) results.push({ name, title: workload.title, ...(await workload.run(bench)) });
    else {
      const targets = (await workload.targets(bench)).filter(
        ({ server, name: own }) => server !== undefined && (target === null || own === target),
      );
      const measureAll = options.guard ? measureGuarded : measure;
      results.push({
        name,
        title: workload.title,
        targets: await measureAll(targets, { name, rounds, seconds, ...createWatch(client) }),
      });
    }
    process.stderr.write('\n');
  }
}

const SETTINGS = {
  LIMIT_REQUESTS_PER_MINUTE: '0',
  LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
  DEMO_DATA: 'off',
  LOG_LEVEL: 'warn',
  HOST: '127.0.0.1',
  // Stop without draining: nothing calls it any more, and a profile is written on exit.
  DRAIN_SECONDS: '0',
};

/** Starts the service on a database. */
export const startService = (name, url, flags = []) =>
  startServer(name, '../dist/main.js', { DATABASE_URL: url, ...SETTINGS }, flags);

async function startServers(url, { profile, guard, postgraphile: isWanted }) {
  const key = await makeKey(url);
  const env = { DATABASE_URL: url };
  const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const ours = await startService('ours', url, flags);
  const limit = await startServer('limit', 'baselines/limit.js', env);
  const servers = {
    key,
    ours: { ...ours, databaseName: 'unified-financial-data-service' },
    limit: { ...limit, databaseName: 'bench-limit' },
  };
  // Guarded targets are only compared with the limit.
  if (guard) return servers;
  install('baselines/mercurius');
  const usual = await startServer('usual', 'baselines/usual.js', env);
  const byHand = await startServer('by hand', 'baselines/rest.js', env);
  const mercurius = await startServer('mercurius', 'baselines/mercurius/server.js', env);
  const postgraphile = isWanted ? await startPostgraphile(env) : undefined;
  return {
    postgraphile,
    ...servers,
    usual: { ...usual, databaseName: 'bench-usual' },
    byHand: { ...byHand, databaseName: 'bench-rest' },
    mercurius: { ...mercurius, databaseName: 'bench-mercurius' },
  };
}

async function startPostgraphile(env) {
  const folder = 'baselines/postgraphile';
  install(folder);
  const node = new URL(
    `${folder}/node_modules/node-${process.platform}-${process.arch}/bin/node`,
    import.meta.url,
  );
  const server = await startServer('postgraphile', `${folder}/server.js`, env, [], fileURLToPath(node));
  return { ...server, databaseName: 'bench-postgraphile' };
}

/** Creates a new key on every run, as only hashes are stored. */
export async function makeKey(url) {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  try {
    const { key } = await createApiKey(prisma, { organisationId: 1, name: 'bench', scopes: ['read'] });
    return key;
  } finally {
    await prisma.$disconnect();
  }
}

/** Measures again if a result is too slow: noise disappears, a real regression stays. */
async function measureGuarded(targets, { name, ...how }) {
  for (let attempt = 1; ; attempt += 1) {
    const measured = await measure(targets, how);
    const isTooSlow = guarded([{ name, targets: measured }], [name]).some(({ holds }) => holds === false);
    if (!isTooSlow || attempt === MAX_ATTEMPTS) return measured;
  }
}

/** Checks and warms up the targets, then loads them in turns, each round starting with a different one. */
export async function measure(targets, { rounds, seconds, databaseCpu, untilIdle }) {
  const bytes = await checkTargets(targets);
  for (const target of targets) {
    await load(target, WARM_UP_SECONDS, databaseCpu);
    await untilIdle();
  }
  const measured = new Map(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < targets.length; turn += 1) {
      const target = targets[(turn + round) % targets.length];
      await load(target, REWARM_SECONDS, databaseCpu);
      measured.get(target).push(await load(target, seconds, databaseCpu));
      await untilIdle();
      process.stderr.write('.');
    }
  }
  await checkTargets(targets);
  return targets.map((target) => ({
    name: target.name,
    limit: target.limit ?? null,
    usual: target.usual ?? null,
    bytes: bytes.get(target),
    rounds: measured.get(target),
  }));
}
