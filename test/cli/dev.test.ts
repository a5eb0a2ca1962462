import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Folders, isDatabaseRunning, ROOT, start } from './commands.js';

const folders = new Folders();
afterAll(() => folders.remove());

const COPIED = ['src', 'scripts', 'prisma', 'package.json', 'tsconfig.json', 'schema.graphql', 'codegen.yml'];

describe('npm run dev', () => {
  test('restarts the service when a file of src changes, keeps it on an error, and Ctrl-C ends all', async () => {
    const copy = folders.make();
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    // Nothing is compiled yet.
    expect(await start(join(copy, 'scripts/assets.js'), [], {}, copy).ended).toMatchObject({ code: 0 });
    const dataDir = folders.make();
    const settings = { DATA_DIR: dataDir, PORT: '0', DEMO_DATA: 'false', LOG_LEVEL: 'error' };
    const dev = start(join(copy, 'scripts/dev.js'), [], settings, copy, { detached: true });
    await dev.says('Unified Financial Data Service at');
    expect(isDatabaseRunning(dataDir)).toBe(true);

    const main = join(copy, 'src/main.ts');
    const source = readFileSync(main, 'utf8');
    writeFileSync(main, `${source}\nconst wrong: number = 'text';\nexport { wrong };\n`);
    await dev.says('1 error, waiting for a change');
    writeFileSync(main, source.replace('Unified Financial Data Service at', 'Changed service at'));
    await dev.says('Changed service at');

    // It comes to the service, too, which is told by its parent besides.
    const { code, stdout } = await dev.stop('SIGINT');
    expect(code).toBe(0);
    // Once for the change and once for the end: the error stopped nothing.
    expect(stdout.split('SIGTERM: stopping')).toHaveLength(3);
    expect(isDatabaseRunning(dataDir)).toBe(false);
  });
});
