import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Folders, ROOT, start } from '../cli/commands.js';
import { startProcess } from '../support/process.js';
import { TEST_SECRET_KEY, testDatabaseUrl } from '../support/service.js';

const folders = new Folders();
afterAll(() => folders.remove());

/** What the image has beside the packages. */
const SHIPPED = [
  ...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^COPY --from=build \/app\/(\S+)/gm),
].map(([, name = '']) => name);

let place: string;
/** An installation as `npm ci --omit=dev --omit=optional` leaves it: no package that only the build or a test needs. */
beforeAll(() => {
  place = folders.make();
  for (const name of SHIPPED) cpSync(join(ROOT, name), join(place, name), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    const target = join(place, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), target);
  }
});

const SETTINGS = {
  NODE_ENV: 'production',
  SECRET_KEYS: TEST_SECRET_KEY,
  PORT: '0',
  DRAIN_SECONDS: '0',
} as const;

/** What Node does for a user whom /etc/passwd does not list. */
const HOMELESS = `
  const os = require('node:os');
  const { homedir } = os;
  os.homedir = () => {
    if (process.env.HOME === undefined) throw new Error('uv_os_homedir returned ENOENT');
    return homedir();
  };
  require('node:module').syncBuiltinESMExports();
`;

describe('an installation without development tools', () => {
  test('runs on a PostgreSQL of its own, serves every page and writes nothing into its folder', async () => {
    const before = readdirSync(place, { recursive: true }).length;
    const settings = {
      ...SETTINGS,
      DATABASE_URL: testDatabaseUrl(),
      PLAYGROUND: 'true',
      DATA_DIR: folders.make(),
    };
    const service = start(join(place, 'dist/main.js'), [], settings, folders.make());
    const url = /Service at (http:\S+)/.exec(await service.says('A first request'))?.[1] ?? '';
    const pages = ['/health/ready', '/openapi.json', '/docs/scalar.js', '/playground/graphiql.js'];
    const answers = await Promise.all(pages.map((path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await service.stop()).code).toBe(0);
    expect(readdirSync(place, { recursive: true })).toHaveLength(before);
  });

  test('starts as a user of a number alone, who has no home folder', async () => {
    const cwd = folders.make();
    const preload = join(cwd, 'homeless.cjs');
    writeFileSync(preload, HOMELESS);
    const { PATH = '' } = process.env;
    const env = { ...SETTINGS, PATH, DATABASE_URL: testDatabaseUrl(), DATA_DIR: cwd };
    const service = startProcess(['--require', preload, join(place, 'dist/main.js')], { cwd, env });
    await service.says('A first request');
    expect((await service.stop()).code).toBe(0);
  });

  test('says that it needs DATABASE_URL where the embedded PostgreSQL was left out', async () => {
    const folder = folders.make();
    const { code, stderr } = await start(join(place, 'dist/main.js'), [], SETTINGS, folder).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL is not set, and the embedded PostgreSQL is not installed here');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says that its sandbox needs SANDBOX_DATABASE_URL, also where DATABASE_URL is set', async () => {
    const settings = { ...SETTINGS, DATABASE_URL: testDatabaseUrl() };
    const { code, stderr } = await start(join(place, 'dist/cli/sandbox.js'), [], settings, folders.make())
      .ended;
    expect(code).toBe(1);
    expect(stderr).toContain('SANDBOX_DATABASE_URL is not set, and the embedded PostgreSQL is not installed');
    expect(stderr).toContain('set SANDBOX_DATABASE_URL to a PostgreSQL server');
  });

  test('says that Prisma Studio is not in it', async () => {
    const { code, stderr } = await start(join(place, 'dist/cli/studio.js'), [], {}, folders.make()).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('Prisma Studio is a tool of development, and not installed here');
  });
});
