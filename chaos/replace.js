// `node chaos/replace.js`: two instances behind nginx, each replaced while clients read and write. Exits with 1 if a
// request failed. Needs nginx.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectOwner } from '../dist/db/database.js';
import { Login } from '../dist/db/pool/login.js';
import { createApiKey } from '../dist/operations/keys/api-keys.js';
import { createOrganisation } from '../dist/operations/organisations/organisations.js';
import { freePort, lineOf, startProcess } from './processes.js';
import { openRig, SECRET_KEY } from './rig.js';

const CLIENTS = 8;
const DRAIN_SECONDS = 5;
/** A balancer without readiness checks only notices a refused connection. */
const NGINX = process.env.NGINX_PATH ?? '/usr/sbin/nginx';

const rig = await openRig();
const folder = mkdtempSync(join(tmpdir(), 'svc-replace-'));
const children = [];
try {
  process.exitCode = (await run()) === 0 ? 0 : 1;
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const key = await makeKey();
  const ports = [await freePort(), await freePort()];
  const instances = await Promise.all(ports.map(startInstance));
  const url = await startNginx(ports);
  const counts = { ok: 0, failed: {} };
  let isOver = false;
  const fail = (what) => (counts.failed[what] = (counts.failed[what] ?? 0) + 1);
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    for (let turn = 0; !isOver; turn += 1) {
      const [path, init] = requestOf(index + turn, key);
      try {
        const answer = await fetch(url + path, init);
        await answer.text();
        if (answer.status === 200) counts.ok += 1;
        else fail(`${answer.status} ${path}`);
      } catch (error) {
        fail(error.cause?.code ?? error.message);
      }
    }
  });
  const ends = [];
  for (const [index, old] of instances.entries()) {
    await sleep(2000);
    const began = Date.now();
    old.kill('SIGTERM');
    const [code] = await once(old, 'exit');
    ends.push({ code, seconds: (Date.now() - began) / 1000 });
    await startInstance(ports[index]);
  }
  await sleep(2000);
  isOver = true;
  await Promise.all(clients);
  console.log(JSON.stringify({ ...counts, ends }, null, 2));
  return (
    Object.keys(counts.failed).length + ends.filter(({ code, seconds }) => code !== 0 || seconds > 12).length
  );
}

/** Reads, queries, and POST requests that no proxy may retry. */
function requestOf(turn, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (body) => ({ method: 'POST', headers, body });
  if (turn % 3 === 0) return ['/v3/accounting/accounts?limit=10', { headers }];
  if (turn % 3 === 1) return ['/graphql', post('{"query":"{ accounts { totalCount } }"}')];
  return ['/accounting/accounts/all', post('{"take":10}')];
}

async function makeKey() {
  const database = connectOwner(new Login([rig.databaseUrl]));
  try {
    const { svcId } = await createOrganisation(database.prisma, 'replaced');
    return (
      await createApiKey(database.prisma, { organisationId: svcId, name: 'x', scopes: ['read', 'write'] })
    ).key;
  } finally {
    await database.close();
  }
}

async function startInstance(port) {
  const child = startProcess('../dist/main.js', {
    env: {
      DATABASE_URL: rig.databaseUrl,
      SECRET_KEYS: SECRET_KEY,
      PORT: String(port),
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      LIMIT_REQUESTS_PER_MINUTE: '0',
      LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      POOL_SIZE: '4',
    },
  });
  children.push(child);
  await lineOf(child, /A first request/);
  return child;
}

async function startNginx(ports) {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1; user root;
     events { worker_connections 256; }
     http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
       upstream service { ${ports.map((one) => `server 127.0.0.1:${one} fail_timeout=2s;`).join(' ')} keepalive 16; }
       server { listen 127.0.0.1:${port};
         location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
  );
  const nginx = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'inherit' });
  children.push(nginx);
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health/live`).then(({ ok }) => ok, () => false))) await sleep(50); // prettier-ignore
  return url;
}
