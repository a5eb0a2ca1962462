import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startEmbedded } from '../../src/db/embedded/index.js';
import { migrationNames } from '../../src/db/migrations/index.js';
import { withClient } from '../../src/db/pool/client.js';
import { prepareRuntime } from '../../src/db/runtime/index.js';
import { type Ended } from '../support/process.js';
import { until } from '../support/until.js';
import { Folders, isDatabaseRunning, onDatabase, start } from './commands.js';

const folders = new Folders();
/** Of all tests: making a cluster takes longer than most of them. */
const dataDir = folders.make();

afterAll(() => folders.remove());

const command = (name: string, args: string[], settings: Record<string, string> = {}): Promise<Ended> =>
  start(`dist/cli/${name}.js`, args, { DATA_DIR: dataDir, ...settings }, folders.make()).ended;
const db = (...args: string[]) => command('db', args);

async function organisations(settings: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await command('organisations', ['list', '--json'], settings);
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
}

/** A new database on the server of the data folder, which runs for as long as `work` takes. */
async function withOutsideDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const server = await startEmbedded({ dataDir });
  try {
    await onDatabase(server.url, async (client) => {
      await client.query('DROP DATABASE IF EXISTS outside');
      await client.query('CREATE DATABASE outside');
    });
    await work(Object.assign(new URL(server.url), { pathname: '/outside' }).href);
  } finally {
    await server.stop();
  }
}

describe('db migrate', () => {
  test('starts the embedded database for the time, and says what it applied or that nothing was to do', async () => {
    const settings = { DATA_DIR: folders.make() };
    const first = await command('db', ['migrate'], settings);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Applied:\n( {2}\d{14}_\w+\n)+$/);
    const second = await command('db', ['migrate'], settings);
    expect(second).toMatchObject({ code: 0, stdout: 'Nothing to do: every migration is applied.\n' });
    expect(isDatabaseRunning(settings.DATA_DIR)).toBe(false);
  });

  test.each([null, 'requests of mine'])(
    'grants again what a migration takes from the login of requests: %s',
    async (given) => {
      await withOutsideDatabase(async (url) => {
        const settings: Record<string, string> = { DATABASE_URL: url };
        expect(await command('db', ['migrate'], settings)).toMatchObject({ code: 0 });
        if (given !== null) {
          await onDatabase(url, (client) => client.query(`CREATE ROLE "${given}" LOGIN PASSWORD 'word'`));
          const login = Object.assign(new URL(url), {
            username: encodeURIComponent(given),
            password: 'word',
          });
          settings['DATABASE_RUNTIME_URL'] = login.href;
        }
        const runtimeUrl = settings['DATABASE_RUNTIME_URL'] ?? null;
        const { login } = await prepareRuntime(url, { runtimeUrl, passwords: ['word'] });
        const mayClaim = () =>
          withClient({ connectionString: login.url }, async (client) => {
            const { rows } = await client.query<{ may: boolean }>(
              `SELECT has_function_privilege(oid, 'EXECUTE') AS may FROM pg_proc WHERE proname = 'svc_claim_webhooks'`,
            );
            return rows.map(({ may }) => may);
          });
        expect(await mayClaim()).toEqual([true]);
        await onDatabase(url, (client) =>
          client.query(
            `DO $$ DECLARE found regprocedure := 'svc_claim_webhooks'::regproc; made text := pg_get_functiondef(found); BEGIN
               EXECUTE 'DROP FUNCTION ' || found;
               EXECUTE made;
               EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || 'svc_claim_webhooks'::regproc::regprocedure || ' FROM PUBLIC';
             END $$`,
          ),
        );
        expect(await mayClaim()).toEqual([false]);
        expect(await command('db', ['migrate'], settings)).toMatchObject({ code: 0, stderr: '' });
        expect(await mayClaim()).toEqual([true]);
      });
    },
  );

  test('takes no rights away from an owner that is given as the login of requests', async () => {
    await withOutsideDatabase(async (url) => {
      const rights = () =>
        onDatabase(url, async (client) => {
          const { rows } = await client.query(
            `SELECT relacl::text FROM pg_class WHERE relname = 'organisations'`,
          );
          return rows;
        });
      await command('db', ['migrate'], { DATABASE_URL: url });
      const before = await rights();
      const again = await command('db', ['migrate'], { DATABASE_URL: url, DATABASE_RUNTIME_URL: url });
      expect(again.code).toBe(0);
      expect(again.stderr).toMatch(
        /^Warning: the login of requests was not granted its rights: .* owns the tables\n$/,
      );
      expect(await rights()).toEqual(before);
    });
  });

  test('takes DATABASE_URL from a .env file of its folder', async () => {
    await withOutsideDatabase(async (url) => {
      const folder = folders.make();
      writeFileSync(join(folder, '.env'), `DATABASE_URL=${url}\n`);
      const { code, stdout } = await start('dist/cli/db.js', ['migrate'], {}, folder).ended;
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Applied:') });
      await onDatabase(url, (client) => client.query('SELECT FROM organisations'));
    });
  });

  test('lets commands that start at once share the embedded database', async () => {
    const ended = await Promise.all([db('migrate'), db('migrate'), db('migrate')]);
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ended.map(() => ({ code: 0, stderr: '' })),
    );
    expect(isDatabaseRunning(dataDir)).toBe(false);
  });

  test('says which login may not do it', async () => {
    await withOutsideDatabase(async (url) => {
      await onDatabase(url, (client) => client.query(`CREATE ROLE weak LOGIN PASSWORD 'weak'`));
      const weak = Object.assign(new URL(url), { username: 'weak', password: 'weak' }).href;
      const { code, stderr } = await command('db', ['migrate'], { DATABASE_URL: weak });
      expect(code).toBe(1);
      expect(stderr).toBe(
        "the database's login may not apply migrations: permission denied for schema public\n",
      );
    });
  });

  test('says that the login must own tables that another one made', async () => {
    await withOutsideDatabase(async (url) => {
      await command('db', ['migrate'], { DATABASE_URL: url });
      await onDatabase(url, (client) => client.query(`CREATE ROLE stranger LOGIN PASSWORD 'stranger'`));
      const stranger = Object.assign(new URL(url), { username: 'stranger', password: 'stranger' }).href;
      const { code, stderr } = await command('db', ['migrate'], { DATABASE_URL: stranger });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^the database's login may not do this: permission denied for table \w+\. /);
      expect(stderr).toContain('the login of DATABASE_URL must own the tables');
    });
  });

  test('tells operators, not callers, of a statement that took too long', async () => {
    await withOutsideDatabase(async (url) => {
      await command('organisations', ['create', 'acme'], { DATABASE_URL: url });
      const { stderr } = await onDatabase(url, async (client) => {
        await client.query('BEGIN');
        await client.query('LOCK TABLE organisations');
        const settings = { DATABASE_URL: url, LIMIT_STATEMENT_MILLISECONDS: '1000' };
        return command('organisations', ['list'], settings);
      });
      expect(stderr).toBe(
        'the database ended a statement: canceling statement due to statement timeout. Raise statement_timeout of the login of DATABASE_URL, or LIMIT_STATEMENT_MILLISECONDS\n',
      );
    });
  });

  test.each([
    ['a bad setting', { PORT: 'many' }, '  PORT must be a whole number from 0 to 65535\n'],
    [
      'a server that does not answer',
      { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c' },
      'DATABASE_URL: cannot use c at 127.0.0.1:1',
    ],
  ])('ends with one message and exit code 1 on %s', async (_what, settings, message) => {
    const { code, stdout, stderr } = await command('db', ['migrate'], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});

describe('db status', () => {
  test('names pending migrations, and those of a newer build', async () => {
    await withOutsideDatabase(async (url) => {
      const status = () => command('db', ['status'], { DATABASE_URL: url });
      const last = migrationNames().at(-1) ?? '';
      const fresh = await status();
      expect(fresh).toMatchObject({ code: 2, stderr: '' });
      expect(fresh.stdout).toMatch(/^Pending:\n( {2}\d{14}_\w+\n)+$/);
      await command('db', ['migrate'], { DATABASE_URL: url });
      expect(await status()).toEqual({ code: 0, stdout: 'Every migration is applied.\n', stderr: '' });
      await onDatabase(url, (client) =>
        client.query('UPDATE _prisma_migrations SET migration_name = $1 WHERE migration_name = $2', [
          '29991231000000_later',
          last,
        ]),
      );
      const { code, stdout } = await status();
      expect(code).toBe(1);
      expect(stdout).toContain('does not know:\n  29991231000000_later\n');
      expect(stdout).toContain(`Pending:\n  ${last}\n`);
    });
  });
});

describe('db diff', () => {
  test('ends with 0 and a message on stderr when nothing is lacking', async () => {
    await db('migrate');
    expect(await db('diff')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The database lacks nothing that the models in prisma/ say.\n',
    });
  });

  test('shows the SQL that is lacking and ends with 2', async () => {
    await withOutsideDatabase(async (url) => {
      await command('db', ['migrate'], { DATABASE_URL: url });
      await onDatabase(url, (client) => client.query('ALTER TABLE companies DROP COLUMN partner_id'));
      const { code, stdout, stderr } = await command('db', ['diff'], { DATABASE_URL: url });
      expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
      expect(stdout).toContain('ALTER TABLE "companies" ADD COLUMN     "partner_id" TEXT;');
    });
  });
});

describe('db reset', () => {
  test('drops everything and makes the tables anew with --yes', async () => {
    await command('organisations', ['create', 'acme']);
    const { code, stdout } = await db('reset', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`Dropped everything in the embedded database in ${dataDir}, then applied:\n  2`);
    expect(await organisations()).toEqual([]);
    expect(isDatabaseRunning(dataDir)).toBe(false);
  });

  test('resets an outside database', async () => {
    await withOutsideDatabase(async (url) => {
      await command('organisations', ['create', 'acme'], { DATABASE_URL: url });
      // What the demo's platforms remember, removals included: the next demo would lack what was removed.
      await onDatabase(url, (client) => client.query('CREATE DATABASE outside_sandbox'));
      await onDatabase(`${url}_sandbox`, (client) =>
        client.query('CREATE SCHEMA sandbox; CREATE TABLE sandbox.accounts ()'),
      );
      const { code, stdout } = await command('db', ['reset', '--yes'], { DATABASE_URL: url });
      expect(code).toBe(0);
      const left = await onDatabase(url, (client) =>
        client.query(`SELECT FROM pg_database WHERE datname = 'outside_sandbox'`),
      );
      expect(left.rowCount).toBe(0);
      expect(stdout).toContain('Dropped everything in the database outside at 127.0.0.1:');
      expect(await organisations({ DATABASE_URL: url })).toEqual([]);
    });
  });

  test('refuses an outside database that a service uses', async () => {
    await withOutsideDatabase(async (url) => {
      await command('organisations', ['create', 'acme'], { DATABASE_URL: url });
      const { code, stderr } = await onDatabase(`${url}?application_name=svc%20events`, () =>
        command('db', ['reset', '--yes'], { DATABASE_URL: url }),
      );
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'a service is using this database (1 connections): stop it first\n',
      });
      expect(await organisations({ DATABASE_URL: url })).toEqual(['acme']);
    });
  });

  test('is left to the service where a command of a newer build meets its database', async () => {
    await withOutsideDatabase(async (url) => {
      const settings = { DATABASE_URL: url };
      await command('organisations', ['create', 'acme'], settings);
      const taken = await onDatabase(url, (client) =>
        client.query(
          `DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)
           RETURNING *`,
        ),
      );
      for (const args of [
        ['organisations', 'list'],
        ['data-users', 'list'],
      ]) {
        const { code, stderr } = await onDatabase(`${url}?application_name=svc%20events`, () =>
          command(args[0] as string, args.slice(1), settings),
        );
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr:
            'a service is using this database (1 connections): it lacks migrations of this build. ' +
            'Stop the service first, or use its own build\n',
        });
      }
      expect(taken.rowCount).toBe(1);
      await onDatabase(url, (client) =>
        client.query(
          'INSERT INTO _prisma_migrations SELECT * FROM json_populate_record(NULL::_prisma_migrations, $1)',
          [JSON.stringify(taken.rows[0])],
        ),
      );
      expect(await organisations(settings)).toEqual(['acme']);
    });
  });

  test('keeps what is not of the sandbox platforms in a database of that name', async () => {
    await withOutsideDatabase(async (url) => {
      const others = `${url}_sandbox`;
      await onDatabase(url, (client) => client.query('CREATE DATABASE outside_sandbox'));
      await onDatabase(others, (client) =>
        client.query('CREATE SCHEMA sandbox; CREATE TABLE sandbox.accounts (); CREATE TABLE theirs ()'),
      );
      await command('db', ['reset', '--yes'], { DATABASE_URL: url });
      const tables = await onDatabase(others, (client) =>
        client.query(`SELECT tablename FROM pg_tables WHERE schemaname IN ('public', 'sandbox')`),
      );
      expect(tables.rows).toEqual([{ tablename: 'theirs' }]);
      await onDatabase(url, (client) => client.query('DROP DATABASE outside_sandbox'));
    });
  });

  test('refuses without --yes where nobody can be asked', async () => {
    await command('organisations', ['create', 'acme']);
    const { code, stdout, stderr } = await db('reset');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('without a terminal it needs --yes');
    expect(await organisations()).toEqual(['acme']);
  });

  test('refuses while a service runs on the embedded database', async () => {
    const service = await startEmbedded({ dataDir });
    try {
      await command('organisations', ['create', 'acme']);
      const { code, stderr } = await db('reset', '--yes');
      expect(code).toBe(1);
      expect(stderr).toContain(`is using ${dataDir}; stop it`);
      expect(await organisations()).toEqual(['acme']);
    } finally {
      await service.stop();
    }
  });

  test('needs --yes and --production where NODE_ENV is production', async () => {
    await command('organisations', ['create', 'acme']);
    const production = { NODE_ENV: 'production' };
    for (const args of [['--yes'], ['--production']]) {
      const { code, stderr } = await command('db', ['reset', ...args], production);
      expect(code).toBe(1);
      expect(stderr).toBe('NODE_ENV is production: this needs --yes and --production\n');
    }
    expect(await organisations()).toEqual(['acme']);
    expect(await command('db', ['reset', '--yes', '--production'], production)).toMatchObject({ code: 0 });
    expect(await organisations()).toEqual([]);
  });
});

describe('Ctrl-C', () => {
  test('ends a command that waits for another migration', async () => {
    await withOutsideDatabase((url) =>
      onDatabase(url, async (client) => {
        // The lock of src/db/migrations/lock.ts.
        await client.query('SELECT pg_advisory_lock($1, 1)', [0x5356_4302]);
        const waiting = start('dist/cli/db.js', ['migrate'], { DATABASE_URL: url }, folders.make());
        const asking = `SELECT FROM pg_stat_activity WHERE query LIKE '%try_advisory_lock%'
          AND datname = current_database() AND pid <> pg_backend_pid()`;
        await until('the command to ask for the lock', async () => (await client.query(asking)).rowCount);
        expect(await waiting.stop('SIGINT')).toEqual({ code: 130, stdout: '', stderr: '' });
      }),
    );
  });
});
