import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PATCHES } from '../../chaos/patches.js';
import { packagePath } from '../../src/package-path.js';
import { FAIL_POINTS } from '../../src/writes/fail-points.js';
import { startProcess } from '../support/process.js';
import { stretched } from '../support/time.js';

/** A short form of `npm run chaos`, by the same program. */
const PER_POINT = Number(process.env['CHAOS_PER_POINT'] ?? 1);
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 29);
const SEED = process.env['CHAOS_SEED'] ?? '1';
const MAX_SECONDS = 600;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-chaos-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The program's reports; throws what it says where a check fails or a planted bug is not caught. */
async function chaos(...args: readonly string[]): Promise<{ reports: any[] }> {
  const file = join(folder, 'reports.json');
  const { code, stdout, stderr } = await startProcess(
    [packagePath('chaos/main.js'), '--seed', SEED, '--json', file, ...args],
    {
      env: { ...process.env, DATABASE_URL: process.env['TEST_DATABASE_BASE'] },
      seconds: MAX_SECONDS - 30,
    },
  ).ended;
  const text = stdout + stderr;
  if (code !== 0) throw new Error(`chaos ${args.join(' ')} ended with ${code}:\n${text}`);
  return { reports: JSON.parse(readFileSync(file, 'utf8')).reports };
}

test(
  `${PER_POINT} kills at each of ${FAIL_POINTS.length} points and ${KILLS} at random lose nothing and write nothing twice`,
  async () => {
    const { reports } = await chaos(
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
    expect(report.figures).toMatchObject({ lost: 0, duplicated: 0 });
    expect(Object.keys(report.points).sort()).toEqual([...FAIL_POINTS].sort());
    expect(report.kills).toBeGreaterThanOrEqual(KILLS + PER_POINT * FAIL_POINTS.length);
  },
  stretched(MAX_SECONDS * 1000),
);

test.each(Object.entries(PATCHES))('the bug "%s" can be planted in the build', (_name, patches) => {
  for (const { file, find } of patches) {
    const places = readFileSync(packagePath(`dist/${file}`), 'utf8').split(find).length - 1;
    expect({ file, find, places }).toEqual({ file, find, places: 1 });
  }
});

test(
  'a service that sends again without looking first is caught',
  async () => {
    const { reports } = await chaos('--bug', 'retry without look-up');
    expect(reports[0].figures.duplicated).toBeGreaterThan(0);
  },
  stretched(MAX_SECONDS * 1000),
);
