// What V8 is told at every start, and why is in bench/README.md. The flags are V8's own business: one that this V8 does
// not know would end Node before it begins, so it is left out.
import { spawnSync } from 'node:child_process';

export const FLAGS = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=30',
];

const nameOf = (flag) => flag.replace(/^--(no-)?|=.*$/g, '').replaceAll('_', '-');

/** The flags that this V8 knows; says on stderr which it does not. */
export function knownFlags() {
  const { stdout = '' } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const known = new Set([...stdout.matchAll(/^ +(--\S+)/gm)].map(([, flag]) => nameOf(flag)));
  return FLAGS.filter((flag) => {
    const isKnown = known.has(nameOf(flag));
    if (!isKnown)
      console.error(`Warning: V8 ${process.versions.v8} does not know ${flag}: started without it.`);
    return isKnown;
  });
}
