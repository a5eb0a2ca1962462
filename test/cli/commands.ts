import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type ProcessOptions, type Running, startProcess } from '../support/process.js';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Settings = Readonly<Record<string, string>>;

/** Folders of one test file, removed at its end. */
export class Folders {
  readonly #made: string[] = [];

  make(): string {
    const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    this.#made.push(folder);
    return folder;
  }

  remove(): void {
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a script of the repository in a folder of its own: no `.env` and no setting of the developer counts. */
export function start(
  script: string,
  args: readonly string[],
  settings: Settings,
  folder: string,
  options: Pick<ProcessOptions, 'detached'> = {},
): Running {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...settings };
  return startProcess([resolve(ROOT, script), ...args], { cwd: folder, env, ...options });
}

/** Whether the embedded server of the data folder lives. */
export function isDatabaseRunning(dataDir: string): boolean {
  return existsSync(join(dataDir, 'pg', 'postmaster.pid'));
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Runs statements on a database. */
export async function onDatabase<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
