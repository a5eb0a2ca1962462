import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SyntheticModule } from 'node:vm';
import JestRuntime from 'jest-runtime';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = join(ROOT, 'src', '/');
const BUILD = join(ROOT, 'dist', '/');

/** What expect and the matchers of a file compare with: those of the realm that the tests run in. */
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
 * Jest gives each test file a realm, packages and modules of its own, which cost two seconds of CPU a file, and everything
 * in them runs cold. Here packages and the service are Node's own, the service as it was built, loaded once a worker; each
 * file still has the modules under `test/` to itself. So that both agree on what an Array is, they run in the worker's realm.
 */
export default class Runtime extends JestRuntime {
  #environment = { ...process.env };
  #shared = new Map();

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    for (const name of SHARED) environment.global[name] = globalThis[name];
    const { esmLoader, _resolution: resolution } = this;
    esmLoader.getContext = () => undefined;
    // Newer versions of Node link without the hook below where no resolver is asynchronous.
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

/** A module of a test file's graph with the exports of Node's own. */
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
