import { fileURLToPath } from 'node:url';

/** Path of a file of the package, from `src/` or `dist/`, which are both one level below it. */
export function packagePath(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}
