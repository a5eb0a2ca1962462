import { createServer } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Folders, freePort, isDatabaseRunning, start } from './commands.js';

const folders = new Folders();
afterAll(() => folders.remove());

describe('studio', () => {
  test('serves the embedded database, and Ctrl-C ends both', async () => {
    const dataDir = folders.make();
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const args = ['--port', String(port)];
    const studio = start('dist/cli/studio.js', args, { DATA_DIR: dataDir }, folders.make());
    await studio.says(`Prisma Studio at ${url}`);
    expect(await (await fetch(url)).text()).toContain('/studio.js');
    const keys = start('dist/cli/keys.js', ['list', '--json'], { DATA_DIR: dataDir }, folders.make());
    expect(await keys.ended).toEqual({ code: 0, stdout: '[]\n', stderr: '' });

    expect(await studio.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    expect(isDatabaseRunning(dataDir)).toBe(false);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('refuses a port that is taken, and starts no database', async () => {
    const dataDir = folders.make();
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const args = ['--port', String(port)];
    const studio = await start('dist/cli/studio.js', args, { DATA_DIR: dataDir }, folders.make()).ended;
    server.close();
    expect(studio).toMatchObject({ code: 1, stdout: '' });
    expect(studio.stderr).toContain(`port ${port} cannot be used: choose another one with --port`);
    expect(isDatabaseRunning(dataDir)).toBe(false);
  });

  test.each(['0', '65536', 'http'])('refuses %s as a port', async (port) => {
    const { code, stderr } = await start('dist/cli/studio.js', ['--port', port], {}, folders.make()).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('a whole number from 1 to 65535');
  });
});
