import pg from 'pg';
import { migrate } from '../dist/db/migrations/index.js';
import { migrateJobs } from '../dist/jobs/migrate-jobs.js';
import { patchedService } from './build.js';
import { freePort, lineOf, ServiceProcess, startProcess } from './processes.js';
import { openProxy } from './proxy.js';
import { Server } from './server.js';

export const SECRET_KEY = Buffer.alloc(32, 'chaos').toString('base64');
/** How long the service lets a caller wait before it answers PENDING; short, so that both answers occur often. */
const WRITE_WAIT_MS = 2000;

/**
 * Two databases on a server of our own (or on `DATABASE_URL`'s), and the sandbox in its own process, which logs its
 * writes. With `harmful`, the service reaches its database through a `proxy`, and gets a separate server (`server`)
 * unless `DATABASE_URL` is set. `close` removes everything.
 */
export async function openRig({ harmful = false } = {}) {
  const closing = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const isOurs = !process.env.DATABASE_URL;
    const open = async (options) => {
      const server = await Server.open(options);
      closing.push(() => server.close());
      return server;
    };
    const platforms = isOurs ? await open() : null;
    const rig = { close, server: harmful && isOurs ? await open({ disk: true }) : null, proxy: null };
    const platformServer = platforms?.url ?? process.env.DATABASE_URL;
    const serviceServer = rig.server?.url ?? platformServer;
    rig.databaseUrl = await createDatabase(serviceServer, 'service', closing);
    const platformDatabase = await createDatabase(platformServer, 'platform', closing);
    await migrate(rig.databaseUrl);
    await migrateJobs(rig.databaseUrl);
    if (harmful) {
      rig.proxy = await openProxy(rig.databaseUrl);
      closing.push(() => rig.proxy.close());
      rig.databaseUrl = rig.proxy.url;
    }
    rig.moveServer = async () => {
      rig.server = await rig.server.moved();
      closing.push(() => rig.server.close());
      rig.proxy.leadTo(rig.server.url);
    };
    const sandbox = startProcess('../dist/cli/sandbox.js', {
      args: ['--port', String(await freePort()), '--per-minute', '0', '--concurrent', '0'],
      env: { SANDBOX_DATABASE_URL: platformDatabase, LOG_LEVEL: 'warn' },
    });
    closing.push(() => sandbox.kill('SIGKILL'));
    rig.sandboxUrl = await lineOf(sandbox, /http:\/\/[\w.:]+/);
    // A pool of one reconnects after the server was away.
    rig.sql = new pg.Pool({ connectionString: rig.databaseUrl, max: 1 }).on('error', () => undefined);
    closing.push(() => rig.sql.end());
    return rig;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A database on the server, dropped at the end together with its login. */
async function createDatabase(server, purpose, closing) {
  const name = `chaos_${process.pid}_${purpose}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await statement(server, `CREATE DATABASE ${name}`);
  // Our own server is removed as a whole.
  if (process.env.DATABASE_URL) {
    closing.push(async () => {
      await statement(server, `DROP DATABASE ${name} WITH (FORCE)`);
      await statement(server, `DROP ROLE IF EXISTS svc_${name}_runtime`);
    });
  }
  return url;
}

async function statement(server, text) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Starts one gateway and two workers. `platformUrl` is where they expect the platforms. */
export async function startService(rig, { patches = [], platformUrl = rig.sandboxUrl, onPoint }) {
  const port = await freePort();
  const script = patchedService(patches);
  const env = {
    DATABASE_URL: rig.databaseUrl,
    DEMO_DATA: 'false',
    SANDBOX_URL: platformUrl,
    SECRET_KEYS: SECRET_KEY,
    HOST: '127.0.0.1',
    PORT: String(port),
    WRITE_WAIT_MS: String(WRITE_WAIT_MS),
    LATE_ANSWER_SECONDS: '1',
    LIMIT_REQUESTS_PER_MINUTE: '0',
    // Receivers run on this machine.
    ALLOW_PRIVATE_ADDRESSES: 'true',
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
