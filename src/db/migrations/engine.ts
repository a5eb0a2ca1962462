import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import type pg from 'pg';

import { migrationAdapterFactory } from './adapter.js';
import type { SchemaFile } from './files.js';

type EngineClass = { new: typeof SchemaEngine.new };
type Exports = { __wbindgen_start(): void };
type Glue = { SchemaEngine: EngineClass; __wbg_set_wasm(exports: Exports): void; [name: string]: unknown };

// Node has it; the types of Node 20 do not.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Exports } }>;
};

export const NO_FILTER = { externalTables: [], externalEnums: [] };

type EngineOptions = {
  url: string;
  schema: SchemaFile[];
  prepareScript?: (script: string) => string;
  onScriptError?: (error: unknown) => void;
};

/** Runs Prisma's migration engine on a database, then closes its connections, which releases its lock. */
export async function withEngine<T>(
  { url, schema, prepareScript = (script) => script, onScriptError = () => undefined }: EngineOptions,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const pools = new Set<pg.Pool>();
  const factory = bindMigrationAwareSqlAdapterFactory(
    migrationAdapterFactory({ url, pools, prepareScript, onScriptError }),
  );
  const datamodels = schema.map(({ path, content }): [string, string] => [path, content]);
  try {
    const engine = await (await loadEngine()).new({ datamodels }, () => undefined, factory);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    for (const pool of pools) await pool.end();
  }
}

let loaded: Promise<EngineClass> | undefined;
const loadEngine = () => (loaded ??= instantiate());

/** The package expects a bundler; this does its job. */
async function instantiate(): Promise<EngineClass> {
  reportPanics();
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const glue = (await import(pathToFileURL(join(folder, 'schema_engine_bg.js')).href)) as Glue;
  const imports = Object.fromEntries(Object.entries(glue).map(withoutLingering));
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': imports,
  });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue.SchemaEngine;
}

/** The engine's lock has a timer of 10 s that is never cleared; it must not delay the end of the process. */
function withoutLingering([name, value]: [string, unknown]): [string, unknown] {
  if (!name.includes('setTimeout')) return [name, value];
  const setTimer = value as (callback: () => void, ms: number) => NodeJS.Timeout;
  return [name, (callback: () => void, ms: number) => setTimer(callback, ms).unref()];
}

/** Without this registry, normally set by Prisma's CLI, a panic of the engine appears as a TypeError. */
function reportPanics(): void {
  const registry = {
    set_message(message: string) {
      throw new Error(`The migration engine failed: ${message}`);
    },
  };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: registry });
}
