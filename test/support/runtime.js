import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SyntheticModule } from 'node:vm';
import JestRuntime from 'jest-runtime';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = join(ROOT, 'src', '/');
const BUILD = join(ROOT, 'dist', '/');

/** Globals that `expect` and the matchers compare with: those of the realm that the tests run in. */
const SHARED = [
  'Array',
  'BigInt',
  'Boolean',
  'Date',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'RegExp',
  'Set',
  'String',
  'Symbol',
];

const isPackage = (specifier) => /^[@\w]/.test(specifier) && !/^(node|data|file):/.test(specifier);

/**
 * Jest gives each test file a separate realm, packages and modules, which costs two seconds of CPU per file and makes
 * all code in them run cold. Here packages and the built service are loaded by Node, once per worker; only the modules
 * under `test/` are separate for each file. All run in the worker's realm, so that they agree on what an Array is.
 */
export default class Runtime extends JestRuntime {
  #environment = { ...process.env };
  #shared = new Map();

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    for (const name of SHARED) environment.global[name] = globalThis[name];
    const { esmLoader, _resolution: resolution } = this;
    esmLoader.getContext = () => undefined;
    // Newer versions of Node link without the hook below if no resolver is asynchronous.
    resolution.hasDistinctAsyncResolver = () => true;
    const resolveOwn = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      const path = specifier.startsWith('.') ? resolve(dirname(from), specifier) : '';
      if (path.startsWith(SOURCE)) return this.#share(BUILD + path.slice(SOURCE.length));
      if (!isPackage(specifier) || specifier === '@jest/globals' || resolution.isCoreModule(specifier))
        return resolveOwn(specifier, from, context);
      return this.#share(await resolution.resolveEsmAsync(from, specifier));
    };
  }

  teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
    super.teardown();
  }

  #share(path) {
    if (!this.#shared.has(path)) this.#shared.set(path, wrapped(path));
    return this.#shared.get(path);
  }
}

/** A module in a test file's graph that re-exports one loaded by Node. */
async function wrapped(path) {
  const exports = await import(pathToFileURL(path).href);
  const module = new SyntheticModule(
    Object.keys(exports),
    () => {
      for (const [name, value] of Object.entries(exports)) module.setExport(name, value);
    },
    { identifier: path },
  );
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}
