import { packagePath } from '../../src/package-path.js';
import { type Running, startProcess } from '../support/process.js';

export type Child = Running & { firstLine(): Promise<string> };

/**
 * Runs a module script in a process of its own, for tests that kill it; `./embedded/index.js` and so on are the built
 * parts of `src/db`. What follows the script are its arguments, from `process.argv[1]`.
 */
export function runDatabaseScript(script: string, ...args: readonly string[]): Child {
  const child = startProcess(['--input-type=module', '--eval', script, ...args], {
    cwd: packagePath('dist/db'),
  });
  const firstLine = async () => (await child.says('\n')).split('\n', 1).join();
  return { ...child, firstLine };
}
