import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

import type { Binaries } from './binaries.js';
import { DataFolderError, errorMessage } from './data-folder-error.js';
import { createPassword, type DataFolder } from './data-folder.js';
import { commandAs, giveTo, type RunAs } from './run-as.js';

/**
 * Creates the cluster in a temporary folder and moves it into place when complete, so that an interrupted first start
 * leaves nothing that looks like a database.
 */
export async function initialise(folder: DataFolder, binaries: Binaries, runAs: RunAs): Promise<void> {
  // A unique name: the initdb of a killed start may still be writing to its folder.
  const staging = `${folder.cluster}.new.${randomUUID()}`;
  const passwordFile = `${staging}.password`;
  try {
    mkdirSync(staging, { mode: 0o700 });
    giveTo(runAs, staging);
    // A file: initdb cannot read a password from node's pipes.
    writeFileSync(passwordFile, createPassword(folder), { mode: 0o600 });
    if (runAs.kind === 'user') chownSync(passwordFile, runAs.uid, runAs.gid);
    await runInitdb(staging, passwordFile, binaries, runAs);
    rmSync(folder.cluster, { recursive: true, force: true });
    renameSync(staging, folder.cluster);
  } finally {
    rmSync(staging, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

async function runInitdb(
  staging: string,
  passwordFile: string,
  binaries: Binaries,
  runAs: RunAs,
): Promise<void> {
  const { file, args, options } = commandAs(runAs, binaries.initdb, [
    ...['-D', staging, '-U', 'svc', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    // Sorts alike on every machine and needs none of the system's locales.
    ...['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
  ]);
  try {
    await promisify(execFile)(file, args, options);
  } catch (error) {
    throw new DataFolderError(`PostgreSQL could not set up ${staging}: ${errorMessage(error).trim()}`, {
      cause: error,
    });
  }
}
