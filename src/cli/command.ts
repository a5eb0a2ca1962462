import { Command } from 'commander';
import { explainFailure } from '../failure.js';
import type * as Databases from './database.js';
import { Interrupted } from './interrupted.js';

/** A command of package.json: `npm run NAME -- ...`. */
export function createProgram(name: string, description: string): Command {
  const program = new Command(`npm run ${name} --`).description(description);
  // Subcommands inherit this when they are made, so it is set before them.
  return program.helpCommand(false).showHelpAfterError('(--help shows what there is)');
}

interface RunOptions {
  /** Whether the reader of the output (`| head`) may have seen enough; else the command itself deals with that. */
  readonly mayCutOutput?: boolean;
}

/** Parses the arguments, does what they say, and ends with one message and exit code 1 where that fails. */
export async function runProgram(program: Command, { mayCutOutput = true }: RunOptions = {}): Promise<void> {
  if (mayCutOutput) process.stdout.on('error', endWithoutOutput);
  try {
    await program.parseAsync();
  } catch (error) {
    // What was under way has lost its database and may never end.
    if (error instanceof Interrupted) process.exit(130);
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** Where nobody reads on, that is an end like others; a full disk is none. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`standard output cannot be written: ${message}\n`);
  process.exit(1);
}

/** Asks a command that runs until it is told to end. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
  });
}

/** The modules of the database are loaded by what works on it: help and bad arguments are answered without them. */
const databases = () => import('./database.js');

/** See ./database.ts. */
export const withOpenDatabase: typeof Databases.withOpenDatabase = async (mode, work) =>
  (await databases()).withOpenDatabase(mode, work);

/** See ./database.ts. */
export const withDatabase: typeof Databases.withDatabase = async (work) =>
  (await databases()).withDatabase(work);

/** A line of progress, apart from what is printed for programs. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

const SECONDS_BETWEEN = 2;

/** Tells how far a long command is, by a line every two seconds at most: what is quick has none. */
export function createProgress(): (line: string) => void {
  let toldAt = performance.now();
  return (line) => {
    if (performance.now() - toldAt < SECONDS_BETWEEN * 1000) return;
    toldAt = performance.now();
    tell(line);
  };
}
