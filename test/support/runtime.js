import { pathToFileURL } from 'node:url';
import { SyntheticModule } from 'node:vm';
import JestRuntime from 'jest-runtime';

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
 * Jest gives each test file a realm and packages of its own, which cost a second of CPU a file, and everything in them runs
 * cold. Here packages are Node's own, loaded once a worker; each file still has the project's modules to itself. So that both
 * agree on what an Array is, they run in the worker's realm.
 */
export default class Runtime extends JestRuntime {
  #environment = { ...process.env };
  #packages = new Map();

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    for (const name of SHARED) environment.global[name] = globalThis[name];
    const { esmLoader, _resolution: resolution } = this;
    esmLoader.getContext = () => undefined;
    // Newer versions of Node link without the hook below where no resolver is asynchronous.
    resolution.hasDistinctAsyncResolver = () => true;
    const resolve = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (!isPackage(specifier) || specifier === '@jest/globals' || resolution.isCoreModule(specifier))
        return resolve(specifier, from, context);
      return this.#package(await resolution.resolveEsmAsync(from, specifier));
    };
  }

  teardown() {
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
    super.teardown();
  }

  #package(path) {
    if (!this.#packages.has(path)) this.#packages.set(path, wrapped(path));
    return this.#packages.get(path);
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
