import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
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

/** Fewer than may wait, and more than the pipe has room for. */
const LAST_LINES = 4000;
const EXIT = `
  import { writeSync } from 'node:fs';
  import { createLog } from './log.js';
  const log = createLog('info');
  process.stderr.on('error', () => undefined);
  for (let line = 0; line < ${LAST_LINES}; line += 1) log.info({ line }, 'x'.repeat(40));
  writeSync(1, 'leaving\\n');
  process.exit(3);
`;

describe('a process that exits', () => {
  const leave = async () => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', EXIT], {
      cwd: packagePath('dist/telemetry'),
    });
    expect(String((await once(run.stdout, 'data'))[0])).toBe('leaving\n');
    return run;
  };

  test('writes the last lines of its log for a reader that is late', async () => {
    const run = await leave();
    let text = '';
    run.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    expect((await once(run, 'close'))[0]).toBe(3);
    expect(linesOf(text)).toEqual(Array.from({ length: LAST_LINES }, (_, line) => line));
  });

  test('exits though nobody reads its log', async () => {
    const run = await leave();
    expect((await once(run, 'exit'))[0]).toBe(3);
    run.stderr.resume();
  });

  test('exits though the reader of its log is gone', async () => {
    const run = await leave();
    run.stderr.destroy();
    expect((await once(run, 'exit'))[0]).toBe(3);
  });
});

const linesOf = (text: string): readonly number[] =>
  [...text.matchAll(/"line":(\d+)/g)].map(([, line]) => Number(line));
