import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from '@jest/globals';
import { stretched } from './time.js';
import { until } from './until.js';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  /** Rejects if the process had to be ended for exceeding its time. */
  readonly ended: Promise<Ended>;
  /** The output to stdout and stderr so far. */
  output(): string;
  /** Waits until the output contains the text for the nth time; fails if the process ends first. */
  says(text: string, times?: number): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** In its own process group, as from a shell: signals reach the whole group, like Ctrl-C. */
  readonly detached?: boolean;
  /** Maximum lifetime, stretched by TEST_TIME_FACTOR: by default a little less than that of a test. */
  readonly seconds?: number;
}

/** Time for an orderly stop, including that of a database it started. */
const SECONDS_TO_STOP = 60;
const running = new Set<Running>();

// Processes left by a failed test. Runs before the hooks of the test file itself, which remove its folders.
afterAll(() => Promise.all([...running].map((one) => one.stop().catch(() => undefined))));

/** Runs Node with these arguments. A process that exceeds its time is ended, and its output shown. */
export function startProcess(args: readonly string[], options: ProcessOptions = {}): Running {
  return startCommand(process.execPath, args, options);
}

/** The same with any command. */
export function startCommand(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Running {
  const { seconds = 150, ...place } = options;
  const name = args.join(' ');
  const child = spawn(command, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (part: string) => {
      written[stream] += part;
      output += part;
    });
  }
  const withOutput = (message: string) => new Error(`${message}. Output of ${name}:\n${output}`);

  let overdue: Error | null = null;
  const endAfter = (limit: number) =>
    setTimeout(
      () => {
        overdue = withOutput(`not ended within ${limit} s`);
        process.stderr.write(`${overdue.message}\n`);
        void terminate(child);
      },
      stretched(limit * 1000),
    );
  const timers = [endAfter(seconds)];
  const ended = once(child, 'close').then(([code]) => {
    timers.forEach(clearTimeout);
    running.delete(started);
    if (overdue) throw overdue;
    return { code: code as number | null, ...written };
  });
  // Not every test waits for the end.
  ended.catch(() => undefined);

  const says = async (text: string, times = 1): Promise<string> => {
    const isSaid = () => output.split(text).length > times;
    const isOver = () => isSaid() || !running.has(started);
    await until(`"${text}"`, isOver, { seconds }).catch((error: Error) => {
      throw withOutput(error.message);
    });
    if (!isSaid()) throw withOutput(`ended before it said "${text}"`);
    return output;
  };
  const kill = (signal: NodeJS.Signals): boolean =>
    options.detached && child.pid && !hasEnded(child) ? process.kill(-child.pid, signal) : child.kill(signal);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (kill(signal)) timers.push(endAfter(SECONDS_TO_STOP));
    return ended;
  };
  const started: Running = { process: child, ended, output: () => output, says, stop };
  running.add(started);
  return started;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function terminate(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), stretched(SECONDS_TO_STOP * 1000) / 4);
    await once(child, 'exit');
    clearTimeout(patience);
  }
  // Processes that it started may still hold its pipes.
  child.stdout?.destroy();
  child.stderr?.destroy();
}
