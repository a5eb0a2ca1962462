import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildSync } from 'esbuild';

import { BUNDLING } from '../scripts/bundling.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** dist is patched, and chaos imports it by relative path. */
const COPIED = ['dist', 'chaos'];
/** For experiments: `chaos/service.js` bundled with everything it loads, as it is started hundreds of times. */
const SERVICE = 'dist/chaos-service.js';

const made = new Map();
process.on('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Builds the service from a copy with the patches (`{ file, find, replace }`) applied. Throws unless each text occurs
 * exactly once: a bug that is not planted proves nothing.
 */
export function patchedService(patches) {
  const key = JSON.stringify(patches);
  if (!made.has(key)) made.set(key, make(patches));
  return join(made.get(key), SERVICE);
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
  bundle(folder);
  return folder;
}

/** Next to the build, where it finds the files that it reads. */
function bundle(folder) {
  buildSync({
    ...BUNDLING,
    entryPoints: [join(folder, 'chaos/service.js')],
    outfile: join(folder, SERVICE),
    format: 'esm',
    banner: {
      js: `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`,
    },
  });
}
