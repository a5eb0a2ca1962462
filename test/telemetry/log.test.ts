import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';
import { until } from '../support/until.js';

const LINES = 20_000;
const SCRIPT = `
  import { createLog } from './log.js';
  const log = createLog('info');
  process.stderr.on('error', () => undefined);
  for (let line = 0; line < ${LINES}; line += 1) {
    log.info({ line }, 'x'.repeat(40));
    if (line % 1000 === 0) await new Promise(setImmediate);
  }
  console.log('still here');
  process.stdin.resume();
`;

test('a process whose log nobody reads goes on, and what fits is read later', async () => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: packagePath('dist/telemetry'),
  });
  // Nothing reads its stderr yet.
  expect(String((await once(run.stdout, 'data'))[0])).toBe('still here\n');
  let text = '';
  run.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // As much as has room; the rest is dropped.
  await until('what waited', () => linesOf(text).length > 1000);
  run.stdin.end();
  await once(run, 'close');
  expect(linesOf(text).slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, line) => line));
});

const linesOf = (text: string): readonly number[] =>
  [...text.matchAll(/"line":(\d+)/g)].map(([, line]) => Number(line));
