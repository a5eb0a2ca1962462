import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keepSecretKey, loadSecretBox, readSecretKeys } from '../../src/secrets/keys.js';
import { randomSecretKey } from '../../src/secrets/secret-box.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const settings = () => ({ dataDir, secretKeys: [], production: false });

test('a key is made once and kept', () => {
  const box = loadSecretBox(settings());
  const place = { table: 't', row: '1', column: 'c', organisationId: 1 };
  expect(loadSecretBox(settings()).open(box.seal('text', place), place)).toBe('text');
});

test('a key that cannot be written leaves the one before it in its place', () => {
  keepSecretKey({ dataDir }, 'first');
  mkdirSync(join(dataDir, 'secret-key.part', 'full'), { recursive: true });
  expect(() => keepSecretKey({ dataDir }, 'second')).toThrow(
    `${join(dataDir, 'secret-key')} cannot be written: `,
  );
  expect(readSecretKeys(settings())).toEqual(['first']);
});

test('a folder that cannot be made is named', () => {
  const file = join(dataDir, 'file');
  writeFileSync(file, '');
  const within = { ...settings(), dataDir: join(file, 'data') };
  expect(() => loadSecretBox(within)).toThrow(`${join(within.dataDir, 'secret-key')} cannot be written: `);
  expect(existsSync(within.dataDir)).toBe(false);
});

test('a first start does not replace the key that another process has made meanwhile', () => {
  const theirs = randomSecretKey();
  let reads = 0;
  const racing = {
    ...settings(),
    // Read once to look for the file, and again to make it.
    get dataDir() {
      reads += 1;
      if (reads === 2) keepSecretKey({ dataDir }, theirs);
      return dataDir;
    },
  };
  const box = loadSecretBox(racing);
  expect(reads).toBeGreaterThan(1);
  expect(readSecretKeys(settings())).toEqual([theirs]);
  expect(readdirSync(dataDir)).toEqual(['secret-key']);
  const place = { table: 't', row: '1', column: 'c', organisationId: 1 };
  expect(loadSecretBox(settings()).open(box.seal('text', place), place)).toBe('text');
});
