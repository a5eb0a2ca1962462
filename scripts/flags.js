// V8 flags for every start; bench/README.md explains them. Flags differ between V8 versions, and an unknown one would
// prevent Node from starting, so it is left out.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const FLAGS = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=30',
];

const nameOf = (flag) => flag.replace(/^--(no-)?|=.*$/g, '').replaceAll('_', '-');

/** The flags that this V8 knows; prints a warning about the others. With `file`, the result is cached there. */
export function knownFlags(file = null) {
  const known = keptAnswer(file) ?? askNode(file);
  for (const flag of FLAGS.filter((one) => !known.includes(one)))
    console.error(`Warning: V8 ${process.versions.v8} does not know ${flag}: started without it.`);
  return known;
}

const QUESTION = [process.versions.v8, ...FLAGS].join(' ');

function keptAnswer(file) {
  if (file === null || !existsSync(file)) return null;
  try {
    const { question, known } = JSON.parse(readFileSync(file, 'utf8'));
    return question === QUESTION ? known : null;
  } catch {
    // Another start is writing it.
    return null;
  }
}

function askNode(file) {
  const { stdout = '' } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const names = new Set([...stdout.matchAll(/^ +(--\S+)/gm)].map(([, flag]) => nameOf(flag)));
  const known = FLAGS.filter((flag) => names.has(nameOf(flag)));
  if (file !== null) keep(file, JSON.stringify({ question: QUESTION, known }));
  return known;
}

/** Writes a cache file; a read-only file system is not an error. */
export function keep(file, text) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error;
  }
}
