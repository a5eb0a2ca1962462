import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { packagePath } from './package-path.js';

/** All modules and packages of the service in one file, as scripts/bundle.js makes it. */
interface Bundle {
  /** Entry points by module path without extension. */
  readonly entries: Readonly<Record<string, () => Promise<unknown>>>;
  /** Loads everything that an entry may load. */
  load(): Promise<unknown>;
}

type Body = (
  require: NodeJS.Require,
  module: { exports: Bundle },
  filename: string,
  importModule: (name: string) => Promise<unknown>,
) => void;

const FILE = packagePath('dist/service.cjs');

/** V8 accepts compiled code only from its own version and flags. */
const cacheFile = (): string =>
  packagePath(`dist/service-${cachedDataVersionTag().toString(16).padStart(8, '0')}.cache`);

/** Runs an entry of the bundle: `main`, `cli/keys`. */
export function launch(entry: string): void {
  ensureHome();
  const run = readBundle(readCompiled()).bundle.entries[entry];
  if (!run) throw new Error(`${FILE} has no ${entry}`);
  void run();
}

/** A user without a name and HOME has no home folder. Packages ask for one while they load, but store nothing there. */
function ensureHome(): void {
  try {
    homedir();
  } catch {
    process.env['HOME'] = '/';
  }
}

/** Compiles the bundle for this V8 and its flags, and stores the code next to it. Part of the build. */
export async function writeCompiled(): Promise<void> {
  const { bundle, script } = readBundle(undefined);
  await bundle.load();
  writeFileSync(cacheFile(), script.createCachedData());
}

/** Without it V8 compiles again, which only takes time. */
function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(cacheFile());
  } catch {
    return undefined;
  }
}

function readBundle(cachedData: Buffer | undefined): { readonly bundle: Bundle; readonly script: Script } {
  // It is ASCII, which is read several times as fast as UTF-8 and needs half the memory.
  const script = new Script(readFileSync(FILE, 'latin1'), { filename: FILE, cachedData });
  const module = { exports: {} as Bundle };
  // Compiled code has lost its base path for imports.
  (script.runInThisContext() as Body)(createRequire(FILE), module, FILE, (name) => import(name));
  return { bundle: module.exports, script };
}
