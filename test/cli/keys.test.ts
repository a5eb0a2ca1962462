import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/index.js';
import { fillDataFolder } from '../support/data-folder.js';
import { type Ended } from '../support/process.js';
import { Folders, onDatabase, start } from './commands.js';

const folders = new Folders();
let database: EmbeddedDatabase;
let dataDir: string;
let companyId: string;

/** A service would hold the database; here the test does. */
beforeAll(async () => {
  dataDir = folders.make();
  await fillDataFolder(dataDir);
  database = await startEmbedded({ dataDir });
  await run('organisations', 'create', 'acme');
  await run('organisations', 'create', 'other');
  await run('organisations', 'create', 'wide');
  companyId = await onDatabase(database.url, async (client) => {
    const { rows } = await client.query<{ svc_id: string }>(
      `INSERT INTO companies (svc_organisation_id, name)
       SELECT svc_id, 'Harbour' FROM organisations WHERE name = 'acme' RETURNING svc_id`,
    );
    return rows[0]?.svc_id ?? '';
  });
});

afterAll(async () => {
  await database.stop();
  folders.remove();
});

function run(command: string, ...args: string[]): Promise<Ended> {
  return start(`dist/cli/${command}.js`, args, { DATA_DIR: dataDir }, folders.make()).ended;
}

const create = (...args: string[]) =>
  run('keys', 'create', '--organisation', 'acme', '--name', 'test', ...args);

async function createKey(...args: string[]): Promise<{ id: string; key: string }> {
  const { stdout } = await create('--json', ...args);
  return JSON.parse(stdout) as { id: string; key: string };
}

async function listed(id: string): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await run('keys', 'list', '--json');
  return (JSON.parse(stdout) as Record<string, unknown>[]).find((key) => key['id'] === id);
}

describe('keys create', () => {
  test('shows the key once, and what it may do', async () => {
    const { code, stdout, stderr } = await create();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [key = ''] = stdout.split('\n');
    expect(key).toMatch(/^svc_[0-9a-f]{12}_[\w-]{43}$/);
    expect(stdout).toContain('will not be shown again');
    expect(stdout).toMatch(/^ {2}scopes +read, write$/m);
    expect(stdout).toMatch(/^ {2}companies +all$/m);
    expect(stdout).toMatch(/^ {2}expires +never$/m);
    expect((await run('keys', 'list')).stdout).not.toContain(key);
  });

  test('gives the key its scopes, companies and expiry, and answers in JSON', async () => {
    const rights = ['--scopes', 'read, passthrough', '--companies', companyId, '--expires', '2099-01-31'];
    const { code, stdout } = await create('--json', ...rights);
    expect(code).toBe(0);
    const made = JSON.parse(stdout) as { id: string };
    const stored = {
      id: made.id,
      name: 'test',
      organisation: 'acme',
      scopes: ['read', 'passthrough'],
      company_ids: [Number(companyId)],
      expires_at: '2099-01-31T00:00:00.000Z',
    };
    expect(made).toEqual({ ...stored, key: expect.stringContaining(`svc_${made.id}_`) });
    expect(await listed(made.id)).toEqual({
      ...stored,
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    });
  });

  test('refuses an unknown organisation and names those that there are', async () => {
    const { code, stdout, stderr } = await run('keys', 'create', '--organisation', 'acne', '--name', 'x');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('there is no organisation named "acne"; there are "acme", "other", "wide"\n');
  });

  test('refuses an unknown scope and names the ones that there are', async () => {
    const { code, stderr } = await create('--scopes', 'read,all');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'there is no scope "all"; there are read, write, passthrough, integrations:secrets, webhooks:manage',
    );
  });

  test('refuses a company of nobody and names those of the organisation', async () => {
    const { code, stderr } = await create('--companies', `${companyId},987`);
    expect(code).toBe(1);
    expect(stderr).toBe(`the organisation has no company 987; its companies are ${companyId} (Harbour)\n`);
  });

  test('refuses a company of another organisation', async () => {
    const args = ['--organisation', 'other', '--name', 'x', '--companies', companyId];
    const { code, stderr } = await run('keys', 'create', ...args);
    expect(code).toBe(1);
    expect(stderr).toBe(`the organisation has no company ${companyId}; it has no company yet\n`);
  });

  test.each([
    ['an empty list of scopes', ['--scopes', ' , '], 'one or more scopes'],
    ['a company that is no number', ['--companies', 'Harbour'], 'each company must be a whole number'],
    ['an empty list of companies', ['--companies', ''], 'the svc_ids of one or more companies'],
    ['an expiry that is no date', ['--expires', 'soon'], 'a date such as 2027-01-31'],
    ['an expiry on a day that does not exist', ['--expires', '2027-02-30'], 'a date such as 2027-01-31'],
    ['an expiry in the past', ['--expires', '2020-01-31'], 'must be in the future'],
    ['a name of two lines', ['--name', 'a\nb'], 'one line of 1 to 200 characters'],
    ['an unknown option', ['--forever'], "unknown option '--forever'"],
  ])('refuses %s', async (_what, args, message) => {
    const { code, stdout, stderr } = await create(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('refuses to go on without an organisation', async () => {
    const { code, stderr } = await run('keys', 'create', '--name', 'x');
    expect(code).toBe(1);
    expect(stderr).toContain("required option '--organisation <name>' not specified");
  });
});

describe('keys list', () => {
  test('shows aligned columns', async () => {
    const { id } = await createKey('--expires', '2099-01-31');
    const { code, stdout } = await run('keys', 'list');
    expect(code).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(head.split(/ {2,}/)).toEqual([
      'ID',
      'NAME',
      'ORGANISATION',
      'SCOPES',
      'COMPANIES',
      'CREATED',
      'EXPIRES',
      'LAST USED',
      'REVOKED',
    ]);
    const row = rows.find((line) => line.startsWith(id)) ?? '';
    expect(row.slice(head.indexOf('EXPIRES')).split(/ {2,}/)).toEqual(['2099-01-31T00:00Z', 'never', '-']);
  });

  test('keeps its lines short where a key is limited to many companies', async () => {
    const ids = await onDatabase(database.url, async (client) => {
      const { rows } = await client.query<{ svc_id: string }>(
        `INSERT INTO companies (svc_organisation_id, name)
         SELECT svc_id, 'Company ' || number FROM organisations, generate_series(1, 100) number
         WHERE name = 'wide' RETURNING svc_id`,
      );
      return rows.map((row) => row.svc_id);
    });
    const { stdout } = await run(
      'keys',
      'create',
      '--organisation',
      'wide',
      '--name',
      'many',
      '--companies',
      ids.join(','),
      '--json',
    );
    const { id } = JSON.parse(stdout) as { id: string };
    const table = await run('keys', 'list');
    expect(table.stdout).toContain(`  ${ids.slice(0, 10).join(',')} and 90 more  `);
    expect((await listed(id))?.['company_ids']).toEqual(ids.map(Number));
  });

  test('shows the keys of one organisation only, where one is given', async () => {
    await createKey();
    const { stdout } = await run('keys', 'list', '--organisation', 'other', '--json');
    expect(JSON.parse(stdout)).toEqual([]);
    expect((await run('keys', 'list', '--organisation', 'other')).stdout).toContain('There is no API key');
  });

  test('refuses an unknown organisation', async () => {
    const { code, stderr } = await run('keys', 'list', '--organisation', 'acne');
    expect(code).toBe(1);
    expect(stderr).toContain('there is no organisation named "acne"');
  });
});

describe('keys revoke', () => {
  test('ends a key, and says the same of a key that is revoked already', async () => {
    const { id } = await createKey();
    const first = await run('keys', 'revoke', id);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(
      `Revoked ${id} ("test" of "acme"). A running service refuses it within 3 seconds.\n`,
    );
    const revokedAt = (await listed(id))?.['revoked_at'];
    expect(revokedAt).toEqual(expect.any(String));
    const second = await run('keys', 'revoke', id);
    expect(second).toMatchObject({ code: 0, stdout: `${id} ("test" of "acme") was revoked already.\n` });
    expect((await listed(id))?.['revoked_at']).toBe(revokedAt);
  });

  test('refuses an id that no key has', async () => {
    const { code, stdout, stderr } = await run('keys', 'revoke', 'nope');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no API key with the id nope\n',
    });
  });
});
