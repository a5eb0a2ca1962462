import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { records } from '../../src/records/index.js';
import { fullRecord } from '../support/full-record.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { startProcess } from '../support/process.js';
import { openStrictProxy } from '../support/strict-proxy.js';
import { Folders, ROOT, start } from './commands.js';

const folders = new Folders();
let app: App;
let acme: Tenant;
let caller: Caller & { readonly key: string };

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'export command');
  caller = await createCaller(app, acme.organisationId);
  for (const definition of records) {
    await acme.store(definition.model, [fullRecord(definition, 'one'), fullRecord(definition, 'two')]);
  }
});
afterAll(async () => {
  await app.close();
  folders.remove();
});

const run = (folder: string, ...args: string[]) =>
  start(
    'dist/cli/export.js',
    ['--out', folder, '--service', app.url, ...args],
    { EXPORT_API_KEY: caller.key },
    folders.make(),
  ).ended;

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

test('export writes what the service sends, notes the position, and continues what broke off', async () => {
  const folder = join(folders.make(), 'books');
  const whole = await run(folder);
  expect(whole).toMatchObject({ code: 0, stdout: '' });
  const { position, files } = JSON.parse(read(folder, 'export.json'));
  expect(files).toEqual(records.map(({ dataModel }) => `${dataModel.toLowerCase()}.jsonl`));
  const sent = await caller.get('/v3/core/export');
  expect(position).toBe(sent.headers.get('x-svc-change-position'));
  expect(files.map((file: string) => read(folder, file)).join('')).toBe(sent.text);

  const again = await run(folder);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('name another folder') });

  // As a process leaves it that ends within the second line of bills.
  const kept = files.slice(0, files.indexOf('bills.jsonl'));
  const noted = { ...JSON.parse(read(folder, 'export.json')), files: kept, isComplete: false };
  writeFileSync(join(folder, 'export.json'), JSON.stringify(noted));
  for (const file of files.slice(kept.length + 1)) rmSync(join(folder, file));
  const bills = read(folder, 'bills.jsonl');
  truncateSync(join(folder, 'bills.jsonl'), bills.indexOf('\n') + 1);
  appendFileSync(join(folder, 'bills.jsonl'), '{"data_model":"BILLS","data":{"svc_');
  await acme.store('Account', [{ platformId: 'later', values: { name: 'Later' } }]);
  expect((await run(folder)).stderr).toMatch(/^Continuing[^]*Follow changes/);
  expect(files.map((file: string) => read(folder, file)).join('')).toBe(sent.text);
  expect(JSON.parse(read(folder, 'export.json'))).toMatchObject({ position, isComplete: true });
});

test('export writes lines into CSV files of their own', async () => {
  const folder = folders.make();
  const args = [
    '--format',
    'csv',
    '--byte-order-mark',
    '--data-models',
    'invoices,tax_rates',
    '--company',
    String(acme.companyId),
  ];
  expect(await run(folder, ...args)).toMatchObject({ code: 0 });
  const names = ['export.json', 'invoices.csv', 'invoices.line_items.csv', 'tax_rates.components.csv'];
  expect(readdirSync(folder).sort()).toEqual([...names, 'tax_rates.csv'].sort());
  expect(read(folder, 'invoices.line_items.csv')).toMatch(/^\ufeffparent_svc_id,line_number,/);
});

test('export takes an address with a slash at its end', async () => {
  const args = ['--service', `${app.url}/`, '--data-models', 'ACCOUNTS'];
  expect(await run(join(folders.make(), 'books'), ...args)).toMatchObject({ code: 0 });
});

test('export goes through a proxy that drops headers with underscores', async () => {
  const proxy = await openStrictProxy(app.url);
  const args = ['--service', proxy.url, '--data-models', 'ACCOUNTS'];
  expect(await run(join(folders.make(), 'books'), ...args)).toMatchObject({ code: 0 });
  proxy.close();
});

test.each([
  ['csv', 'accounts.csv'],
  ['jsonl', 'accounts.jsonl'],
  ['csv', 'export.json.part'],
])('export as %s names a file that cannot be written, %s, and does not try again', async (format, name) => {
  const folder = folders.make();
  // Refuses root, too.
  mkdirSync(join(folder, name));
  let requests = 0;
  const service = createServer((_request, response) => {
    requests += 1;
    response.end('{}\n');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = service.address() as AddressInfo;
    const args = ['--service', `http://127.0.0.1:${port}`, '--data-models', 'ACCOUNTS', '--format', format];
    expect(await run(folder, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^${join(folder, name)} cannot be written: EISDIR.*\n$`)),
    });
    expect(requests).toBeLessThan(2);
  } finally {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  }
});

/** Prints the name of each file that is brought to the disk. */
const PRINT_SYNCS = `
  const fs = require('node:fs');
  const { fsync } = fs;
  fs.fsync = (fd, done) => {
    process.stderr.write('on disk: ' + require('node:path').basename(fs.readlinkSync('/proc/self/fd/' + fd)) + '\\n');
    return fsync(fd, done);
  };
`;

test('a file is on disk before it is noted as whole', async () => {
  const cwd = folders.make();
  const preload = join(cwd, 'print-syncs.cjs');
  writeFileSync(preload, PRINT_SYNCS);
  const { PATH = '' } = process.env;
  const script = join(ROOT, 'dist/cli/export.js');
  const args = ['--out', join(cwd, 'books'), '--service', app.url, '--data-models', 'ACCOUNTS'];
  const env = { PATH, EXPORT_API_KEY: caller.key };
  const { code, stderr } = await startProcess(['--require', preload, script, ...args], { cwd, env }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^on disk: accounts\.jsonl\n/) });
});

test('export says what is wrong with a key', async () => {
  const args = [
    'dist/cli/export.js',
    ['--out', folders.make(), '--service', app.url, '--key', 'wrong'],
  ] as const;
  const { code, stderr } = await start(args[0], args[1], {}, folders.make()).ended;
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('key') });
});
