import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';
import { CRASH_POINTS } from '../../src/writes/hooks.js';

/** A short form of `npm run chaos`, by the same program. */
const PER_POINT = Number(process.env['CHAOS_PER_POINT'] ?? 1);
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 29);
const SEED = process.env['CHAOS_SEED'] ?? '1';
const HANG_MS = 600_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-chaos-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the program says, and its reports. */
async function chaos(
  ...args: readonly string[]
): Promise<{ code: number | null; text: string; reports: any[] }> {
  const file = join(folder, 'reports.json');
  const child = spawn(
    process.execPath,
    [packagePath('chaos/main.js'), '--seed', SEED, '--json', file, ...args],
    {
      env: { ...process.env, DATABASE_URL: process.env['TEST_DATABASE_BASE'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, text, reports: JSON.parse(readFileSync(file, 'utf8')).reports };
}

test(
  `${PER_POINT} kills at each of ${CRASH_POINTS.length} points and ${KILLS} at random lose nothing and write nothing twice`,
  async () => {
    const { code, text, reports } = await chaos(
      ...[
        '--mode',
        'mixed',
        '--per-point',
        String(PER_POINT),
        '--kills',
        String(KILLS),
        '--zombies',
        '0',
        '--batch',
        '12',
      ],
    );
    const [report] = reports;
    expect({ code, problems: text.match(/FAILED.*\n.*/g) }).toEqual({ code: 0, problems: null });
    expect(report.figures).toMatchObject({ lost: 0, duplicated: 0 });
    expect(Object.keys(report.points).sort()).toEqual([...CRASH_POINTS].sort());
    expect(report.kills).toBeGreaterThanOrEqual(KILLS + PER_POINT * CRASH_POINTS.length);
  },
  HANG_MS,
);

test(
  'a service that sends again without looking first is caught',
  async () => {
    const { code, reports } = await chaos('--bug', 'retry without look-up');
    expect(code).toBe(0);
    expect(reports[0].figures.duplicated).toBeGreaterThan(0);
  },
  HANG_MS,
);
