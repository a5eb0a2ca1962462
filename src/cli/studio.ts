import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.js';
import { packagePath } from '../package-path.js';
import { portArgument } from './arguments.js';
import { createProgram, runProgram, withOpenDatabase } from './command.js';
import { Interrupted } from './interrupted.js';

const PRISMA = packagePath('node_modules/prisma/build/index.js');

const program = createProgram('studio', 'Opens the database in Prisma Studio, until Ctrl-C.');
program.option('--port <number>', 'local port to listen on', portArgument, 5555).action(studio);

void runProgram(program);

async function studio({ port }: { port: number }): Promise<void> {
  if (!existsSync(PRISMA)) {
    const message =
      'Prisma Studio is a tool of development, and not installed here: run it from a clone, with DATABASE_URL';
    throw new AppError('service-unavailable', message);
  }
  await refuseTakenPort(port);
  const { migrateUnused } = await import('./database.js');
  try {
    await withOpenDatabase('attach', async ({ opened, signal }) => {
      await migrateUnused(opened.url);
      await serve(opened.url, port, signal);
    });
  } catch (error) {
    // Ctrl-C is the normal end.
    if (!(error instanceof Interrupted)) throw error;
    process.stdout.write('\nStopped.\n');
  }
}

async function refuseTakenPort(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new AppError(
      'conflict',
      `port ${port} cannot be used: choose another one with --port (${(error as Error).message})`,
      'port',
    );
  }
  await new Promise((resolve) => server.close(resolve));
}

async function serve(databaseUrl: string, port: number, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [PRISMA, 'studio', '--port', String(port), '--browser', 'none'], {
    cwd: packagePath('.'),
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      // No engine download and no update check.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches it through `signal`, once.
    detached: true,
    signal,
    killSignal: 'SIGTERM',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (output = (output + part).slice(-10_000)));
  }
  child.on('error', () => undefined);
  // An open browser page must not delay the end.
  signal.addEventListener('abort', () => setTimeout(() => child.kill('SIGKILL'), 3000).unref());
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([ended, announce(child, port)]);
  await ended;
  if (!signal.aborted) throw new AppError('service-unavailable', `Prisma Studio ended:\n${output.trim()}`);
}

async function announce(child: ChildProcess, port: number): Promise<void> {
  const url = `http://localhost:${port}`;
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer) {
      process.stdout.write(`Prisma Studio at ${url}, Ctrl-C ends it\n`);
      return;
    }
    await sleep(100);
  }
}
