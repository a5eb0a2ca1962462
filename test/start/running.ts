import { readFileSync } from 'node:fs';
import { packagePath } from '../../src/package-path.js';
import { type Running, startCommand } from '../support/process.js';

/** What the service prints once it answers requests. */
export const READY = 'A first request';
export const urlIn = (output: string): string => /at (http:\S+)/.exec(output)?.[1] ?? '';
export const keyIn = (output: string): string => /Demo API key\s+(\S+)/.exec(output)?.[1] ?? '';

interface Place {
  /** The current folder, whose `.env` counts. */
  readonly folder: string;
  readonly dataDir: string;
  readonly node?: string;
  readonly flags?: readonly string[];
}

/** Starts the service as `npm start` does, with a data folder of its own; lives for several tests. */
export function runService(
  { folder, dataDir, node = process.execPath, flags = [] }: Place,
  settings: Readonly<Record<string, string>> = {},
): Running {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const args = [...flags, packagePath('dist/main.js')];
  return startCommand(node, args, { env, cwd: folder, seconds: 300, detached: true });
}

/** The processes of a run that answer requests. */
export function gatewaysOf({ process: { pid } }: Running): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.map(Number).filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('dist/main.js');
    } catch {
      return false;
    }
  });
}
