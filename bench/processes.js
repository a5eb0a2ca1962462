import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { FLAGS } from '../scripts/flags.js';

/** As in `npm start`. */
export const ARENAS = { MALLOC_ARENA_MAX: '2' };

const children = new Set();
// A last resort, if the regular stop did not happen.
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts a script as in production, with only the settings in `env` and no .env files. */
export function startProcess(script, env, flags = [], node = process.execPath) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(node, [...FLAGS, ...flags, path], {
    cwd: tmpdir(),
    env: {
      ...process.env,
      ...ARENAS,
      NODE_ENV: 'production',
      SECRET_KEYS: Buffer.alloc(32, 'bench').toString('base64'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Installs a baseline's own dependencies in its folder, once. */
export function install(folder) {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  if (existsSync(`${cwd}/node_modules/.package-lock.json`)) return;
  process.stderr.write(`installing ${folder}\n`);
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status}: ${stderr}`);
}

/** Starts a server and waits for its address in the output. */
export function startServer(name, script, env, flags, node) {
  const child = startProcess(script, { PORT: '0', ...env }, flags, node);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const url = /http:\/\/[\w.:]+/.exec(output)?.[0];
      if (url) resolve({ name, url, pid: child.pid });
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${name} ended with ${signal ?? code}`)));
  });
}

/** Stops all child processes, by force after a while. */
export async function stopProcesses() {
  await Promise.all(
    [...children].map(
      (child) =>
        new Promise((resolve) => {
          const impatience = setTimeout(() => child.kill('SIGKILL'), 5000);
          child.once('exit', () => resolve(clearTimeout(impatience)));
          child.kill('SIGTERM');
        }),
    ),
  );
}
