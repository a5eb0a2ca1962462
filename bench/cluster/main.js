// `npm run bench:cluster`: see --help.
import pg from 'pg';
import { untilIdle } from '../load.js';
import { machine } from '../machine.js';
import { rawOf, wholeNumber } from '../options.js';
import { stopProcesses } from '../processes.js';
import { report } from '../report.js';
import { makeKey, measure, startService } from '../run.js';
import { cpuOfServer } from '../usage.js';
import { workloads } from '../workloads/index.js';
import { startDatabases } from './databases.js';
import { readArguments } from '../../scripts/read-arguments.js';

const ALL = ['small', 'payments', 'related', 'nested', 'counts', 'deep', 'ingest'];

const HELP = `Compares the service on a Citus cluster of a coordinator and two workers with the service on one PostgreSQL, all on
this machine and with the same rows.

  TEST_CLUSTER_BIN=/usr/lib/postgresql/17/bin npm run bench:cluster

  --rows N       number of bill payments, with related records            (100000)
                 10,000,000 with small raw data need 60 GB and 45 minutes
  --raw WHAT     raw data of the records: usual (1.3 KB each) or small        (usual)
  --seconds N    duration of a round                                    (5)
  --rounds N     rounds per side, in turns                              (3)
  --only A,B     workloads: ${ALL.join(' ')}
  --help

TEST_CLUSTER_BIN is the folder with the programs of a PostgreSQL with Citus.
`;

const { values } = readArguments(
  {
    options: {
      rows: { type: 'string', default: '100000' },
      raw: { type: 'string', default: 'usual' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: ALL.join() },
      help: { type: 'boolean', default: false },
    },
  },
  HELP,
);
if (values.help) process.stdout.write(HELP);
else await run();

async function run() {
  const options = {
    rows: wholeNumber(values, 'rows', 2000, 100_000_000),
    raw: rawOf(values),
    seconds: wholeNumber(values, 'seconds', 1, 600),
    rounds: wholeNumber(values, 'rounds', 1, 100),
  };
  const only = values.only.split(',');
  const unknown = only.find((name) => !ALL.includes(name));
  if (unknown !== undefined) throw new Error(`there is no workload ${unknown}: see --help`);
  const databases = await startDatabases(process.env.TEST_CLUSTER_BIN, options);
  try {
    const sides = [await openSide('plain', databases.plain), await openSide('cluster', databases.cluster)];
    const results = [];
    for (const name of only) {
      process.stderr.write(`${name} `);
      results.push(...(await measureWorkload(workloads[name], sides, options)));
      process.stderr.write('\n');
    }
    const about = await machine(sides[0].client);
    report({ options, machine: about, results, baseline: 'plain', kind: 'cluster-' });
    for (const { client } of sides) await client.end();
  } finally {
    await stopProcesses();
    await databases.stop();
  }
}

/** Starts the service on one of the databases. */
async function openSide(name, { url, nodes }) {
  const client = new pg.Client({ connectionString: url });
  // The query in progress reports the error.
  client.on('error', () => {});
  await client.connect();
  const key = await makeKey(url);
  const service = await startService(name, url);
  return { name, client, key, nodes, url, company: 1001, ours: { ...service, nodes } };
}

async function measureWorkload({ title, run: runAlone, targets }, sides, { rounds, seconds }) {
  if (runAlone) {
    const results = [];
    for (const { name, url } of sides)
      results.push({ title: `${title}: ${name}`, ...(await runAlone({ databaseUrl: url, rounds })) });
    return results;
  }
  const [plain, cluster] = await Promise.all(
    sides.map(async (side) => (await targets(side)).filter(({ server }) => server === side.ours)),
  );
  const pairs = plain.flatMap((target, index) => [
    { ...target, ...named('plain', target) },
    { ...cluster[index], ...named('cluster', target), limit: named('plain', target).name },
  ]);
  const watch = { databaseCpu, untilIdle: () => Promise.all(sides.map(({ client }) => untilIdle(client))) };
  return [{ title, targets: await measure(pairs, { rounds, seconds, ...watch }) }];
}

/** Groups the two sides of a pair, whose answers must be equal. */
function named(side, { name }) {
  return { name: `${side}: ${name}`, group: name, limit: undefined, usual: undefined };
}

/** CPU of all processes on all nodes. */
function databaseCpu({ nodes }) {
  return new Map(nodes.flatMap(({ data }) => cpuOfServer(data)));
}
