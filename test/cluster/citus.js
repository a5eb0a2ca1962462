import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseRunAs, commandAs, giveTo } from '../../dist/db/embedded/run-as.js';

const WORKERS = 2;
/** Nodes ask for none; a pooler in front of one does. */
const PASSWORD = 'of-the-cluster';

/** Small, as each database has its own processes, and quick, as nothing has to survive the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  'citus.shard_count': '8',
  // As docs/scale.md wants it.
  'citus.node_conninfo': 'sslmode=prefer tcp_user_timeout=3000',
  fsync: 'off',
  shared_buffers: '128MB',
  max_connections: '1000',
  max_prepared_transactions: '300',
  max_worker_processes: '250',
  wal_level: 'logical',
};

/** Debian's package faketime. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/**
 * A Citus cluster of a run's own: a coordinator and its workers on this machine, of the PostgreSQL in `bin`, into which Citus
 * was installed. Its folder has one for each node; the first is the coordinator's. Without workers it is one PostgreSQL.
 * `clocks` are the seconds that each node's clock is ahead.
 */
export async function startCluster(bin, { workers = WORKERS, settings = {}, clocks = [0] } = {}) {
  if (!bin || !existsSync(join(bin, 'initdb'))) {
    throw new Error('set TEST_CLUSTER_BIN to the folder of the programs of a PostgreSQL that has Citus');
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-cluster-'));
  const nodes = [];
  for (let index = 0; index <= workers; index += 1)
    nodes.push({
      ...(await makeNode(bin, join(folder, String(index)), { ...SETTINGS, ...settings })),
      env: clockOf(clocks[index] ?? 0),
    });
  for (const node of nodes) {
    await startNode(bin, node);
    await setPassword(node);
  }
  return { folder, nodes, url: nodes[0].url, stop: () => stopCluster(nodes, folder) };
}

async function makeNode(bin, data, settings) {
  const port = await freePort();
  mkdirSync(data);
  run(bin, data, 'initdb', ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const lines = Object.entries({ port, ...settings }).map(([name, value]) => `${name} = '${value}'`);
  appendFileSync(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  return { data, url: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres` };
}

function clockOf(seconds) {
  if (seconds === 0) return {};
  if (!existsSync(FAKETIME)) throw new Error(`clocks that differ need ${FAKETIME}: apt-get install faketime`);
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

function run(bin, data, program, args) {
  const runAs = runAsOf(bin, data);
  giveTo(runAs, data);
  const command = commandAs(runAs, join(bin, program), [...args, '-D', data]);
  execFileSync(command.file, command.args, { ...command.options, stdio: 'ignore' });
}

const runAsOf = (bin, data) =>
  chooseRunAs({ path: data, cluster: data }, { postgres: join(bin, 'postgres') });

/** Starts a node, or one that was killed again, and waits until it answers. */
export async function startNode(bin, { data, url, env }) {
  const { file, args, options } = commandAs(runAsOf(bin, data), join(bin, 'postgres'), ['-D', data]);
  spawn(file, args, {
    ...options,
    env: { ...options.env, ...env },
    stdio: 'ignore',
    detached: true,
  }).unref();
  for (let left = 300; ; left -= 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function setPassword({ url }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`ALTER ROLE postgres PASSWORD '${PASSWORD}'`);
  } finally {
    await client.end();
  }
}

/** Ends a node as a machine does that dies. */
export async function killNode({ data }) {
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGQUIT');
  while (existsSync(join(data, 'postmaster.pid')) && isThere(pid)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function stopCluster(nodes, folder) {
  for (const node of nodes) if (existsSync(join(node.data, 'postmaster.pid'))) await killNode(node);
  rmSync(folder, { recursive: true, force: true });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Has a node vanish from the network, as a machine does whose cable is cut: its packets are dropped. Needs root. */
export function silenceNode(node) {
  dropPackets('-I', node);
}

/** Gives a silent node its network back. */
export function unsilenceNode(node) {
  dropPackets('-D', node);
}

function dropPackets(change, { url }) {
  const { port } = new URL(url);
  for (const side of ['--dport', '--sport'])
    execFileSync('iptables', [change, 'INPUT', '-i', 'lo', '-p', 'tcp', side, port, '-j', 'DROP']);
}
