// `node chaos/neighbour.js [--seconds N] [--rows N] [--only CASE] [--cancels N]`: one organisation misbehaves in one
// way after the other while another one reads. Prints the effect on the service and on the reader, and exits with 1
// if a goal is missed.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeData } from '../bench/data/index.js';
import { connectOwner } from '../dist/db/database.js';
import { Login } from '../dist/db/pool/login.js';
import { createApiKey } from '../dist/operations/keys/api-keys.js';
import { lineOf, startProcess } from './processes.js';
import { openRig, SECRET_KEY } from './rig.js';
import { readArguments } from '../scripts/read-arguments.js';

const CASES = [
  'counts',
  'empty objects',
  'fragments',
  'introspection',
  'depth',
  'breadth',
  'aliases',
  'one long number',
  'bombs',
  'slow bodies',
  '1,500 sockets',
  'leavers',
];
/** Organisations in the bench data. */
const [BUSY, NEIGHBOUR] = [1, 2];
const CLIENTS = 2;
const GOALS = { blockMs: 200, memory: 400, p95: 60, p99: 250 };

const { values } = readArguments({
  options: {
    seconds: { type: 'string', default: '6' },
    rows: { type: 'string', default: '300000' },
    cancels: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const cases = values.only === undefined ? CASES : CASES.filter((name) => name === values.only);
if (cases.length === 0) throw new Error(`the cases are ${CASES.join('; ')}`);

/** Rolled-back transactions, which include cancelled statements: before the callers disconnect, and since then. */
let before = null;
let ended = 0;
const rig = await openRig();
try {
  process.exitCode = (await run()) === 0 ? 0 : 1;
} finally {
  await rig.close();
}

/** Returns the number of missed goals. */
async function run() {
  await makeData(rig.sql, Number(values.rows));
  const keys = await makeKeys();
  const service = startProcess('watched.js', {
    env: {
      DATABASE_URL: rig.databaseUrl,
      SECRET_KEYS: SECRET_KEY,
      PORT: '0',
      HOST: '127.0.0.1',
      ROLE: 'gateway',
      LIMIT_REQUESTS_PER_MINUTE: '0',
      LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
      DEMO_DATA: 'false',
    },
  });
  const url = (await lineOf(service, /at http:\S+/)).slice(3);
  await read(url, keys.neighbour, 3);
  await watch(service);
  const idle = { ...(await read(url, keys.neighbour, seconds)), ...(await watch(service)) };
  show('idle', idle, []);
  let missed = 0;
  for (const name of cases) {
    const attacker = startProcess('misbehave.js', {
      env: { TARGET: url, READER: keys.reader, WRITER: keys.writer, CASE: name },
    });
    const told = once(attacker, 'message');
    // Leave out the start of the attack.
    await sleep(1000);
    const seen = await read(url, keys.neighbour, seconds, name === 'leavers' ? cancels : undefined);
    attacker.send('stop');
    const [answers] = await told;
    const result = { ...seen, ...(await watch(service)), answers };
    const problems = problemsOf(result, idle);
    missed += problems.length;
    show(name, result, problems);
    await untilIdle();
  }
  service.kill('SIGKILL');
  console.log(`${missed} goals missed`);
  return missed;
}

async function makeKeys() {
  const { prisma, close } = connectOwner(new Login([rig.databaseUrl]));
  const keyOf = async (organisationId, scopes) =>
    (await createApiKey(prisma, { organisationId, name: 'x', scopes })).key;
  try {
    return {
      reader: await keyOf(BUSY, ['read']),
      writer: await keyOf(BUSY, ['read', 'write']),
      neighbour: await keyOf(NEIGHBOUR, ['read']),
    };
  } finally {
    await close();
  }
}

/** Reads as the neighbour, for at least some seconds and until `isEnough`. */
async function read(url, key, least, isEnough = () => true) {
  const times = [];
  const statuses = {};
  const end = performance.now() + least * 1000;
  let isOver = false;
  const client = async (index) => {
    for (let turn = index; !isOver; turn += 1) {
      const began = performance.now();
      const status = await request(url, key, turn).catch((error) => error.cause?.code ?? error.message);
      times.push(performance.now() - began);
      statuses[status] = (statuses[status] ?? 0) + 1;
      await sleep(5);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index));
  do await sleep(100);
  while (performance.now() < end || !(await isEnough()));
  isOver = true;
  await Promise.all(clients);
  times.sort((left, right) => left - right);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), statuses };
}

async function request(url, key, turn) {
  const headers = { api_key: key, 'content-type': 'application/json' };
  const answer =
    turn % 2 === 0
      ? await fetch(`${url}/v3/accounting/bill_payments?limit=10`, { headers })
      : await fetch(`${url}/graphql`, { method: 'POST', headers, body: '{"query":"{ accounts(first: 5) { nodes { name } } }"}' }); // prettier-ignore
  const body = await answer.json();
  return body.errors ? body.errors[0].extensions.code : answer.status;
}

/** Whether enough statements were cancelled: each rolls back its transaction. */
async function cancels() {
  const { rows } = await rig.sql.query(
    'SELECT xact_rollback::int AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  before ??= rows[0].count;
  ended = rows[0].count - before;
  return ended >= Number(values.cancels);
}

async function watch(service) {
  const told = once(service, 'message');
  service.send('tell');
  return (await told)[0];
}

/** Waits until nothing runs in the database, which is soon if statements end with their callers. */
async function untilIdle() {
  for (;;) {
    const { rows } = await rig.sql.query(
      `SELECT count(*)::int AS active FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    if (rows[0].active === 0) return;
    await sleep(50);
  }
}

function problemsOf({ blockMs, memory, p95, p99, statuses }, idle) {
  const mostOf = (name) => Math.max(3 * idle[name], GOALS[name]);
  const over = (what, value, most) =>
    value <= most ? [] : [`${what} ${value.toFixed(0)}, at most ${most.toFixed(0)}`];
  return [
    ...over('block of the event loop in ms', blockMs, GOALS.blockMs),
    ...over('memory in MB', memory, GOALS.memory),
    ...over('p95 in ms', p95, mostOf('p95')),
    ...over('p99 in ms', p99, mostOf('p99')),
    ...Object.keys(statuses).filter((status) => status !== '200').map((status) => `${statuses[status]} x ${status}`), // prettier-ignore
  ];
}

function show(name, { blockMs, memory, p50, p95, p99, statuses, answers = {} }, problems) {
  const figures = [blockMs, memory, p50, p95, p99].map((value) => value.toFixed(0));
  const listed = (counts) => Object.entries(counts).map(([what, count]) => `${count} x ${what}`).join(', ') || 'none'; // prettier-ignore
  console.log(`${name}: block ${figures[0]} ms, memory ${figures[1]} MB; the neighbour: p50 ${figures[2]}, p95 ${figures[3]}, p99 ${figures[4]} ms, ${listed(statuses)}; answered to the other: ${listed(answers)}`); // prettier-ignore
  if (name === 'leavers') console.log(`  ${ended} statements ended with their callers`);
  for (const problem of problems) console.log(`  MISSED ${problem}`);
}
