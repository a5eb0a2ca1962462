import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/index.js';
import { fillDataFolder } from '../support/data-folder.js';
import { withClient } from '../support/nodes.js';
import { type Ended } from '../support/process.js';
import { Folders, onDatabase, start } from './commands.js';

const folders = new Folders();
let database: EmbeddedDatabase;
let dataDir: string;

beforeAll(async () => {
  dataDir = folders.make();
  await fillDataFolder(dataDir);
  database = await startEmbedded({ dataDir });
});

afterAll(async () => {
  await database.stop();
  folders.remove();
});

const command = (name: string, ...args: string[]): Promise<Ended> =>
  start(`dist/cli/${name}.js`, args, { DATA_DIR: dataDir }, folders.make()).ended;
const run = (...args: string[]) => command('organisations', ...args);

async function listed(name: string): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await run('list', '--json');
  return (JSON.parse(stdout) as Record<string, unknown>[]).find((one) => one['name'] === name);
}

describe('organisations create', () => {
  test('says how to make the first key', async () => {
    const { code, stdout } = await run('create', ' My company ');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Made the organisation "My company" with the svc_id \d+\./);
    expect(stdout).toContain('npm run keys -- create --organisation "My company" --name first');
  });

  test('answers in JSON with --json', async () => {
    const { stdout } = await run('create', 'machine', '--json');
    expect(JSON.parse(stdout)).toEqual({ svc_id: (await listed('machine'))?.['svc_id'], name: 'machine' });
  });

  test('refuses a name that is taken', async () => {
    await run('create', 'taken');
    const { code, stdout, stderr } = await run('create', 'taken');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('there is an organisation named "taken" already\n');
  });

  test('lets one of two that make the same organisation at once succeed', async () => {
    const ended = await Promise.all([run('create', 'twice'), run('create', 'twice')]);
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(ended.map(({ stderr }) => stderr).join('')).toBe(
      'there is an organisation named "twice" already\n',
    );
  });

  test.each([
    ['an empty name', ' '],
    ['a name of two lines', 'a\nb'],
    ['a name of 201 characters', 'x'.repeat(201)],
  ])('refuses %s', async (_what, name) => {
    const { code, stderr } = await run('create', name);
    expect(code).toBe(1);
    expect(stderr).toContain('one line of 1 to 200 characters');
  });
});

describe('organisations list', () => {
  test('counts the companies, and the keys that can be used now', async () => {
    await run('create', 'counted');
    await command('keys', 'create', '--organisation', 'counted', '--name', 'one');
    await command('keys', 'create', '--organisation', 'counted', '--name', 'two', '--expires', '2099-01-01');
    await onDatabase(database.url, async (client) => {
      await client.query(
        `INSERT INTO companies (svc_organisation_id, name) SELECT svc_id, 'c' FROM organisations WHERE name = 'counted'`,
      );
      await client.query(`UPDATE api_keys SET expires_at = now() WHERE name = 'two'`);
    });
    expect(await listed('counted')).toEqual({
      svc_id: expect.any(Number),
      name: 'counted',
      companies: 1,
      keys: 1,
      svc_created_at: expect.any(String),
    });
    const { stdout } = await run('list');
    expect(stdout).toMatch(/^SVC_ID +NAME +COMPANIES +KEYS +CREATED$/m);
    expect(stdout).toMatch(/^\d+ +counted +1 +1 +\d{4}-\d\d-\d\dT\d\d:\d\dZ$/m);
  });
});

describe('organisations revoke', () => {
  test('revokes every key of the organisation, no other key and no data', async () => {
    for (const name of ['ended', 'kept']) {
      await run('create', name);
      await command('keys', 'create', '--organisation', name, '--name', 'one');
    }
    await command('keys', 'create', '--organisation', 'ended', '--name', 'two');
    const first = await run('revoke', 'ended');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(
      'Revoked 2 keys of "ended". A running service refuses them within 3 seconds. Its companies and records stay.\n',
    );
    expect((await listed('ended'))?.['keys']).toBe(0);
    expect((await listed('kept'))?.['keys']).toBe(1);
    const second = await run('revoke', 'ended');
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toContain('had no key left to revoke');
  });

  test('says which webhooks go on without a key, and switches them off when told to', async () => {
    const { stdout } = await run('create', 'sending', '--json');
    const organisationId = (JSON.parse(stdout) as { svc_id: number }).svc_id;
    const enabled = await withClient(database.url, async (client: pg.Client) => {
      await client.query(
        `INSERT INTO webhooks (svc_organisation_id, id, name, type, url, headers, enabled, updated_at)
         VALUES ($1, 'hook', 'hook', 'DATA_MODEL_CHANGES', 'https://hooks.example.com/', '', true, now())`,
        [organisationId],
      );
      const isEnabled = async () =>
        (await client.query(`SELECT enabled FROM webhooks WHERE id = 'hook'`)).rows[0].enabled as boolean;
      const told = await run('revoke', 'sending');
      expect(told.stdout).toContain('It still has 1 webhook that events are sent to');
      const before = await isEnabled();
      expect((await run('revoke', 'sending', '--webhooks')).stdout).toContain('Switched 1 webhook off.');
      return [before, await isEnabled()];
    });
    expect(enabled).toEqual([true, false]);
    expect((await run('revoke', 'sending')).stdout).not.toContain('webhook');
  });

  test('refuses an unknown organisation and names those that there are', async () => {
    await run('create', 'known');
    const { code, stderr } = await run('revoke', 'unknown');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^there is no organisation named "unknown"; there are .*"known"/);
  });
});

test('organisations return-origins shows, replaces and removes where customers are sent back to', async () => {
  await run('create', 'with a product');
  const origins = (...args: string[]) => run('return-origins', 'with a product', ...args);
  expect((await origins()).stdout).toBe('There are none.\n');
  const two = await origins('https://b.example.com', 'https://a.example.com');
  expect(two.stdout).toBe('https://a.example.com\nhttps://b.example.com\n');
  const refused = await origins('https://a.example.com/path');
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('must be an exact origin');
  expect((await origins()).stdout).toBe(two.stdout);
  expect((await origins('--none')).stdout).toBe('There are none.\n');
});
