import { Command } from 'commander';
import { explainFailure } from './explain-failure.js';
import type * as Databases from './database.js';
import { Interrupted } from './interrupted.js';

/** A command of package.json: `npm run NAME -- ...`. */
export function createProgram(name: string, description: string): Command {
  const program = new Command(`npm run ${name} --`).description(description);
  // Subcommands inherit this when created, so it is set before them.
  return program.helpCommand(false).showHelpAfterError('(see --help)');
}

/** Commands with a script each: `npm run NAME:COMMAND -- ...`. */
export function createGroup(name: string, description: string): Command {
  const group = createProgram(name, description);
  return group.configureHelp({
    commandUsage: (command) =>
      command === group
        ? `npm run ${name}:COMMAND`
        : `npm run ${name}:${command.name()} -- ${command.usage()}`,
  });
}

interface RunOptions {
  /** Whether the reader of the output (`| head`) may stop early; if not, the command handles that itself. */
  readonly mayCutOutput?: boolean;
}

/** Parses the arguments and runs the command; a failure prints one message and exits with code 1. */
export async function runProgram(program: Command, { mayCutOutput = true }: RunOptions = {}): Promise<void> {
  if (mayCutOutput) process.stdout.on('error', endWithoutOutput);
  // Progress that nobody reads ends no work.
  process.stderr.on('error', () => undefined);
  try {
    await program.parseAsync();
  } catch (error) {
    // Pending work has lost its database and may never end.
    if (error instanceof Interrupted) process.exit(130);
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** A closed pipe is a normal end; a full disk is not. */
function noteLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(`standard output cannot be written: ${message}\n`);
  process.exitCode = 1;
}

function endWithoutOutput(error: NodeJS.ErrnoException): never {
  noteLostOutput(error);
  process.exit();
}

/** Resolves when a long-running command must end: at a signal, or when the reader of its output is gone. */
export function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
    process.stdout.off('error', endWithoutOutput).on('error', (error: NodeJS.ErrnoException) => {
      noteLostOutput(error);
      resolve();
    });
  });
}

/** Database modules are loaded on first use: help and bad arguments do not need them. */
const databases = () => import('./database.js');

/** See ./database.ts. */
export const withOpenDatabase: typeof Databases.withOpenDatabase = async (mode, work) =>
  (await databases()).withOpenDatabase(mode, work);

/** See ./database.ts. */
export const withDatabase: typeof Databases.withDatabase = async (work) =>
  (await databases()).withDatabase(work);

/** Prints a progress line on stderr; stdout is for programs. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const SECONDS_BETWEEN = 2;

/** Reports progress of a long command, at most every two seconds: quick commands print none. */
export function createProgress(): (line: string) => void {
  let reportedAt = performance.now();
  return (line) => {
    if (performance.now() - reportedAt < SECONDS_BETWEEN * 1000) return;
    reportedAt = performance.now();
    tell(line);
  };
}
