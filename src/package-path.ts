import { fileURLToPath } from 'node:url';

/** A file of the package, from `src/` as from `dist/`: both lie one below it. */
export function packagePath(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}
