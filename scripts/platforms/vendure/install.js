import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { CACHE, INSTALL_FLAGS, npm, onceInto, run } from '../cache.js';

export const VENDURE = '3.7.3';
const HOME = join(CACHE, `vendure-${VENDURE}`);
const SAMPLE = join(CACHE, `vendure-${VENDURE}-sample.sqlite`);
const SERVER = fileURLToPath(new URL('server.js', import.meta.url));

/** Vendure is GPL-3: it is installed outside the project, and is not part of it. */
const PACKAGE = {
  private: true,
  dependencies: {
    '@vendure/core': VENDURE,
    '@vendure/create': VENDURE,
    'better-sqlite3': '12.11.1',
  },
  overrides: { '@graphql-tools/batch-execute': '10.0.8' },
};

/** The two packages that are compiled, or download a binary, on installation. */
const NATIVE = ['better-sqlite3', 'bcrypt'];

/**
 * Installs Vendure and creates the database of its sample shop, each once.
 * @param {(message: string) => void} tell
 */
export async function installVendure(tell) {
  await onceInto(HOME, async (folder) => {
    tell(`installing Vendure ${VENDURE} (190 MB, two minutes, once)`);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(PACKAGE));
    await npm(['install', ...INSTALL_FLAGS], folder);
    await npm(['rebuild', '--ignore-scripts=false', '--loglevel=error', ...NATIVE], folder);
    return folder;
  });
  await onceInto(SAMPLE, async (folder) => {
    tell('filling the sample shop (half a minute, once)');
    const database = join(folder, 'shop.sqlite');
    await run(process.execPath, [SERVER, '--home', HOME, '--database', database, '--populate'], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    return database;
  });
  return { server: SERVER, home: HOME };
}

/** A copy of the sample shop's database, in a new folder. */
export function copySample() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-vendure-'));
  cpSync(SAMPLE, join(folder, 'shop.sqlite'));
  return {
    database: join(folder, 'shop.sqlite'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the installation, to start from scratch. */
export function forgetVendure() {
  mkdirSync(CACHE, { recursive: true });
  for (const path of [HOME, SAMPLE]) if (existsSync(path)) rmSync(path, { recursive: true });
}
