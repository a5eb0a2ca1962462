import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What is patched, and what finds it by its own place. */
const COPIED = ['dist', 'chaos'];

const made = new Map();
process.on('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * A folder with a copy of the build in which each patch (`{ file, find, replace }`) is made; without patches this one.
 * Throws where a text is not there exactly once: a bug that is not planted proves nothing.
 */
export function patchedBuild(patches) {
  if (patches.length === 0) return ROOT;
  const key = JSON.stringify(patches);
  if (made.has(key)) return made.get(key);
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'));
  made.set(key, folder);
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
  return folder;
}
