import {
  constants,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { isAlive } from '../../src/db/embedded/processes.js';
import { until } from '../support/until.js';
import { gatewaysOf, keyIn, READY, runService, urlIn } from './running.js';

/** Several processes that answer requests, as `WORKERS` starts them. */
const folder = mkdtempSync(join(tmpdir(), 'svc-gateways-'));
const dataDir = join(folder, 'data');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A client with one connection, which it keeps. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(readonly url: string) {}

  get(path: string): Promise<{ readonly text: string; readonly connection: string | undefined }> {
    return new Promise((resolve, reject) => {
      get(this.url + path, { agent: this.#agent }, (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve({ text, connection: answer.headers.connection }))
          .on('error', reject);
      }).on('error', reject);
    });
  }

  /** Asks again and again, until it is told not to. */
  async untilTold(path: string): Promise<void> {
    while ((await this.get(path)).connection !== 'close');
  }
}

/** Connections go to the processes in turn. */
const clientsOf = (url: string) => Array.from({ length: 4 }, () => new Client(url));

/** Ended, even if its parent has not heard of it yet. */
function isOver(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

test('processes in the midst of requests are told to stop, and end by themselves', async () => {
  // Nobody sends the write, so that its caller waits.
  const service = runService({ folder, dataDir }, { WORKERS: '2', ROLE: 'gateway', DRAIN_SECONDS: '1' });
  const output = await service.says(READY);
  const url = urlIn(output);
  const gateways = gatewaysOf(service);
  expect(gateways).toHaveLength(2);
  const written = fetch(`${url}/accounting/accounts`, {
    method: 'POST',
    headers: { api_key: keyIn(output), 'content-type': 'application/json' },
    body: '{"company_id":4,"data":[{"name":"Coins","nominal_code":"1098","category":"ASSET"}]}',
  }).then(async (answer) => ({ status: answer.status, body: await answer.json() }));
  const database = new pg.Client({ connectionString: readFileSync(join(dataDir, 'url'), 'utf8').trim() });
  await database.connect();
  await until('the write to be noted', async () => (await database.query('TABLE uploads')).rowCount === 1);
  await database.end();
  written.catch(() => undefined);
  const told = Promise.all(clientsOf(url).map((client) => client.untilTold('/health/live')));
  service.process.kill('SIGTERM');
  await told;
  // From now on it can end none of them.
  service.process.kill('SIGSTOP');
  try {
    expect(await written).toMatchObject({ status: 200, body: { data: { status: 'PENDING' } } });
    await until('both processes to end', () => gateways.every(isOver));
  } finally {
    service.process.kill('SIGCONT');
  }
  expect((await service.ended).code).toBe(0);
});

test('one that ends is replaced, even if that succeeds only at a later attempt', async () => {
  // What the processes run; taken away, none can be started.
  const node = join(folder, 'node');
  const away = `${node}-away`;
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  const service = runService({ folder, dataDir, node }, { WORKERS: '2' });
  const url = urlIn(await service.says(READY));
  const [first = 0] = gatewaysOf(service);
  renameSync(node, away);
  process.kill(first, 'SIGKILL');
  await service.says('ENOENT', 2);
  symlinkSync(node, node);
  await service.says('ELOOP', 2);
  rmSync(node);
  renameSync(away, node);
  await until('another process', () => gatewaysOf(service).length === 2);
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  expect((await service.stop()).code).toBe(0);
});

/** Ends the first gateway process as it starts, and the second one slowly. */
const FAILING = `
  const { existsSync, writeFileSync } = require('node:fs');
  const id = require('node:cluster').worker?.id;
  const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
  if (id === 1) {
    while (!existsSync('second')) pause();
    process.exit(3);
  }
  if (id === 2) {
    process.on('exit', pause);
    writeFileSync('second', String(process.pid));
  }
`;

test('a first start that fails leaves none of them', async () => {
  writeFileSync(join(folder, 'failing.cjs'), FAILING);
  const flags = ['--require', join(folder, 'failing.cjs')];
  const service = runService({ folder, dataDir, flags }, { WORKERS: '2' });
  await once(service.process, 'exit');
  expect(isAlive(Number(readFileSync(join(folder, 'second'), 'utf8')))).toBe(false);
  expect((await service.ended).code).toBe(1);
  expect(service.output()).toContain('a gateway process ended with 3 while it started');
});
