import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the output holds the text for the nth time; throws when the command ends before. */
  says(text: string, times?: number): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

const children = new Set<ChildProcess>();

/** Folders of one test file, removed at its end, after what a failed test left running. */
export class Folders {
  readonly #made: string[] = [];

  make(): string {
    const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
    this.#made.push(folder);
    return folder;
  }

  async remove(): Promise<void> {
    for (const child of children) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a script of the repository in a folder of its own: no `.env` and no setting of the developer counts. */
export function start(script: string, args: readonly string[], settings: Settings, folder: string): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [resolve(ROOT, script), ...args], {
    cwd: folder,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => (output[name] += part));
  }
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  const says = async (text: string, times = 1) => {
    while (output.stdout.split(text).length <= times) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`ended before it said "${text}":\n${output.stdout}${output.stderr}`);
      }
      await sleep(50);
    }
  };
  return { process: child, ended, says };
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
