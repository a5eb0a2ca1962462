import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../dist/db/embedded/index.js';
import { migrate } from '../dist/db/migrations/index.js';
import { migrateJobs } from '../dist/jobs/worker.js';
import { patchedBuild } from './build.js';
import { freePort, lineOf, ServiceProcess, startProcess } from './processes.js';

export const SECRET_KEY = Buffer.alloc(32, 'chaos').toString('base64');
/** How long the service lets a caller wait before it answers PENDING: short, so that both answers come often. */
const WRITE_WAIT_MS = 2000;

/**
 * Two databases on a server of our own (or on `DATABASE_URL`'s), and the platforms on one of them as a process of its
 * own, with a log of what they wrote. Everything is removed by `close`.
 */
export async function openRig() {
  const closing = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const server = process.env.DATABASE_URL || (await embeddedServer(closing));
    const admin = await connect(server);
    closing.push(() => admin.end());
    const databases = ['service', 'platform'].map((name) => `chaos_${process.pid}_${name}`);
    for (const name of databases) {
      await admin.query(`CREATE DATABASE ${name}`);
      closing.push(async () => {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await admin.query(`DROP ROLE IF EXISTS svc_${name}_runtime`);
      });
    }
    const [databaseUrl, platformDatabase] = databases.map(
      (name) => Object.assign(new URL(server), { pathname: `/${name}` }).href,
    );
    await migrate(databaseUrl);
    await migrateJobs(databaseUrl);
    const sandbox = startProcess('../dist/cli/sandbox.js', {
      args: ['--port', String(await freePort()), '--per-minute', '0', '--concurrent', '0'],
      env: { SANDBOX_DATABASE_URL: platformDatabase, LOG_LEVEL: 'warn' },
    });
    closing.push(() => sandbox.kill('SIGKILL'));
    const sandboxUrl = await lineOf(sandbox, /http:\/\/[\w.:]+/);
    const sql = await connect(databaseUrl);
    closing.push(() => sql.end());
    return { databaseUrl, sandboxUrl, sql, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function embeddedServer(closing) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const embedded = await startEmbedded({ dataDir: folder });
  closing.push(() => embedded.stop());
  return embedded.url;
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** One process that answers requests and two that send writes. `platformUrl` is where they think the platforms are. */
export async function startService(rig, { patches = [], platformUrl = rig.sandboxUrl, onPoint }) {
  const port = await freePort();
  const script = join(patchedBuild(patches), 'chaos/service.js');
  const env = {
    DATABASE_URL: rig.databaseUrl,
    DEMO_DATA: 'false',
    SANDBOX_URL: platformUrl,
    SECRET_KEYS: SECRET_KEY,
    HOST: '127.0.0.1',
    PORT: String(port),
    WRITE_WAIT_MS: String(WRITE_WAIT_MS),
    LIMIT_REQUESTS_PER_MINUTE: '0',
    LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
    LOG_LEVEL: 'fatal',
  };
  const start = (name, role) => new ServiceProcess(name, { script, env: { ...env, ROLE: role }, onPoint });
  const gateway = start('gateway', 'gateway');
  const workers = [start('worker 1', 'worker'), start('worker 2', 'worker')];
  const all = [gateway, ...workers];
  return {
    url: `http://127.0.0.1:${port}`,
    gateway,
    workers,
    all,
    stop: () => Promise.all(all.map((one) => one.stop())),
  };
}

/** A control call to the sandbox. */
export async function control({ sandboxUrl }, method, path, body) {
  const answer = await fetch(`${sandboxUrl}/_sandbox${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return text.startsWith('{"') && !text.includes('\n{') ? JSON.parse(text) : text;
}
