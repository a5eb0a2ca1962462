import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { demoApiKey, readDemoApiKey } from '../../src/demo/demo-key.js';
import { createOrganisation } from '../../src/operations/organisations/organisations.js';
import { admin } from '../support/admin.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'demo-key-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test.each(['', '\n', 'svc_cut_off'])('a key file that holds only %j gets a whole key', async (text) => {
  const settings = { dataDir, demoApiKey: null };
  const file = join(dataDir, 'demo-api-key');
  writeFileSync(file, text);
  expect(readDemoApiKey(settings)).toBeNull();
  const { svcId } = await createOrganisation(admin.prisma, `Of the key ${JSON.stringify(text)}`);
  const key = await demoApiKey(admin, svcId, settings);
  expect(key.length).toBeGreaterThan(24);
  expect(readFileSync(file, 'utf8')).toBe(`${key}\n`);
  expect(readdirSync(dataDir)).toEqual(['demo-api-key']);
  expect(await demoApiKey(admin, svcId, settings)).toBe(key);
});
