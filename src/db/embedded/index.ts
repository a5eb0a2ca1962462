import { rmSync } from 'node:fs';

import pg from 'pg';

import { codeOf } from '../../errors.js';
import { type Binaries, locateBinaries } from './binaries.js';
import { DataFolderError, errorMessage } from './data-folder-error.js';
import {
  clusterVersion,
  type DataFolder,
  dataFolder,
  openDataFolder,
  orUnusable,
  readPassword,
  removeLeftovers,
  writeSecret,
} from './data-folder.js';
import { initialise } from './initialise.js';
import { type KeptServer, keepRunning } from './keep-running.js';
import { launch } from './launch.js';
import { type Ownership, takeOwnership } from './ownership.js';
import { clearDeadPostmaster, findReadyPostmaster, type Postmaster, stopPostmaster } from './postmaster.js';
import { chooseRunAs } from './run-as.js';
import { withStartLock } from './start-lock.js';

export { DataFolderError } from './data-folder-error.js';

export type EmbeddedDatabase = { url: string; stop(): Promise<void> };

const DATABASE = 'svc';

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** Called when the server dies and is restarted. */
  readonly onServerEnd?: (message: string) => void;
}

/**
 * Starts PostgreSQL on the folder, or adopts the server that a killed service left running there. When it dies, it is
 * started again at the same address.
 */
export async function startEmbedded({
  dataDir,
  onServerEnd = () => undefined,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const binaries = await locateBinaries();
  const folder = openDataFolder(dataDir);
  try {
    return await withStartLock(folder, () => start(folder, binaries, onServerEnd));
  } catch (error) {
    throw orUnusable(folder, error);
  }
}

/** The running database of the folder, for a command beside the service; null when there is none. */
export async function attachEmbedded({ dataDir }: { dataDir: string }): Promise<{ url: string } | null> {
  const folder = dataFolder(dataDir);
  try {
    const postmaster = await findReadyPostmaster(folder);
    return postmaster && { url: urlOf(folder, postmaster, DATABASE) };
  } catch (error) {
    throw orUnusable(folder, error);
  }
}

async function start(
  folder: DataFolder,
  binaries: Binaries,
  onServerEnd: (message: string) => void,
): Promise<EmbeddedDatabase> {
  removeLeftovers(folder);
  refuseOtherVersion(folder, binaries);
  for (let attempt = 1; ; attempt += 1) {
    const adopted = await findReadyPostmaster(folder);
    const postmaster = adopted ?? (await launchNew(folder, binaries));
    try {
      const relaunch = (port: number) => withStartLock(folder, () => revive(folder, binaries, port));
      return await own(folder, postmaster, () => keepRunning(folder, postmaster, relaunch, onServerEnd));
    } catch (error) {
      if (!adopted) await stopPostmaster(folder, postmaster.pid);
      // The found server was shutting down.
      if (adopted && attempt < 3 && isConnectionLoss(error)) continue;
      throw error instanceof DataFolderError ? error : notAnswering(folder, error);
    }
  }
}

function refuseOtherVersion(folder: DataFolder, binaries: Binaries): void {
  const version = clusterVersion(folder);
  if (version !== null && version !== binaries.major) {
    throw new DataFolderError(
      `${folder.cluster} was made by PostgreSQL ${version}, but this service includes PostgreSQL ${binaries.major}: ` +
        'set DATA_DIR to a new folder, or dump the data with the old version and load it into the new one',
    );
  }
}

async function launchNew(
  folder: DataFolder,
  binaries: Binaries,
  port: number | null = null,
): Promise<Postmaster> {
  const runAs = chooseRunAs(folder, binaries);
  if (clusterVersion(folder) === null) await initialise(folder, binaries, runAs);
  readPassword(folder);
  await clearDeadPostmaster(folder);
  return launch(folder, binaries, runAs, port);
}

/** Replaces a server that died; null if another start of the service was faster. */
async function revive(folder: DataFolder, binaries: Binaries, port: number): Promise<Postmaster | null> {
  const found = await findReadyPostmaster(folder);
  if (found) return found.port === port ? found : null;
  return launchNew(folder, binaries, port);
}

async function own(
  folder: DataFolder,
  postmaster: Postmaster,
  keep: () => KeptServer,
): Promise<EmbeddedDatabase> {
  // A session in the service's own database would prevent dropping or copying it.
  const maintenanceUrl = urlOf(folder, postmaster, 'postgres');
  const ownership = await takeOwnership(maintenanceUrl);
  if (!ownership) {
    throw new DataFolderError(
      `another start of the service is using ${folder.path}; stop it or set DATA_DIR to another folder`,
    );
  }
  try {
    await createDatabase(maintenanceUrl);
    const url = urlOf(folder, postmaster, DATABASE);
    writeSecret(folder, folder.url, url);
    const kept = keep();
    let stopped: Promise<void> | undefined;
    return { url, stop: () => (stopped ??= stop(folder, kept, ownership)) };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

/** Keeps ownership until the server is gone, so that nobody adopts it while it shuts down. */
async function stop(folder: DataFolder, kept: KeptServer, ownership: Ownership): Promise<void> {
  rmSync(folder.url, { force: true });
  try {
    await kept.letGo();
    await stopPostmaster(folder, kept.current().pid);
  } finally {
    await ownership.release();
  }
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: maintenanceUrl });
  // The error fails the running statement; without a listener it would end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function urlOf(folder: DataFolder, { port }: Postmaster, database: string): string {
  return `postgresql://svc:${readPassword(folder)}@127.0.0.1:${port}/${database}`;
}

function isConnectionLoss(error: unknown): boolean {
  return (
    ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error)) ||
    /^(Connection terminated|Client has encountered a connection error)/.test(errorMessage(error))
  );
}

function notAnswering(folder: DataFolder, error: unknown): DataFolderError {
  return new DataFolderError(
    `the database in ${folder.path} is running but refuses this service: ${errorMessage(error)}; see ${folder.log}`,
    { cause: error },
  );
}
