import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../src/config.js';
import { createLog } from '../src/log.js';
import { packagePath } from '../src/package-path.js';
import { type Service, startService } from '../src/start.js';

const run = promisify(execFile);
const README = readFileSync(packagePath('README.md'), 'utf8');

/** Every request of the README that has an answer printed below it. */
const TOUR = [...README.matchAll(/```sh\n(curl [^`]+)```\n\n```json\n([^`]+)```/g)].map(
  ([, request = '', answer = '']) => [request.trim(), answer] as const,
);

const dataDir = mkdtempSync(join(tmpdir(), 'svc-readme-'));
let service: Service;

beforeAll(async () => {
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', DEMO_API_KEY: 'demo-key-for-the-readme-tour' });
  service = await startService(config, createLog('silent'));
}, 60_000);
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What differs from run to run: the time of storing, and what names a request. */
const stable = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) =>
    /^svc_(created|updated)_at$|^re(quest|sponse)_(id|timestamp)$/.test(name) ? typeof value : value,
  );

test('the README has a tour', () => expect(TOUR.length).toBeGreaterThanOrEqual(5));

test.each(TOUR)('%s answers what the README prints', async (request, answer) => {
  const command = request.replaceAll('http://127.0.0.1:4000', service.app.url).replace('curl', 'curl -s');
  const { stdout } = await run('bash', ['-c', command]);
  expect(stable(stdout)).toEqual(stable(answer));
});
