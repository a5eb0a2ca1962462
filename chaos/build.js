import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundle, compile } from '../scripts/bundling.js';
import { knownFlags } from '../scripts/flags.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** dist is patched, and chaos imports it by relative path. */
const COPIED = ['dist', 'chaos'];
/** For experiments: launches `chaos/service.js`, bundled and compiled like the service, as it is started hundreds of times. */
const LAUNCHER = 'dist/chaos-service.js';
const SERVICE = '../chaos/service';

const made = new Map();
process.on('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Builds the service from a copy with the patches (`{ file, find, replace }`) applied. Throws unless each text occurs
 * exactly once: a bug that is not planted proves nothing.
 */
export function patchedService(patches) {
  const key = JSON.stringify(patches);
  if (!made.has(key)) made.set(key, make(patches));
  return join(made.get(key), LAUNCHER);
}

function make(patches) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'));
  for (const name of readdirSync(ROOT)) {
    if (COPIED.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    else symlinkSync(join(ROOT, name), join(folder, name));
  }
  for (const { file, find, replace } of patches) {
    const path = join(folder, 'dist', file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) {
      throw new Error(`dist/${file} has ${parts.length - 1} times, not once: ${find}`);
    }
    writeFileSync(path, parts.join(replace));
  }
  const dist = join(folder, 'dist');
  bundle({ from: dist, entries: [SERVICE], dist });
  compile({ dist, flags: knownFlags() });
  writeFileSync(join(folder, LAUNCHER), `import { launch } from './launch.js';\n\nlaunch('${SERVICE}');\n`);
  return folder;
}
