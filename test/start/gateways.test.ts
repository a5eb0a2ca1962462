import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
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
