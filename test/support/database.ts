import { randomBytes } from 'node:crypto';
import { onEachNode } from './nodes.js';

const server = process.env['TEST_DATABASE_BASE'] ?? '';
/** All nodes of a cluster, the server first. */
const nodes = (process.env['TEST_DATABASE_NODES'] ?? '').split(' ');
/** Copied for each file. Its name is the run's, and prefixes the names of all databases that a run creates. */
const template = process.env['TEST_DATABASE_TEMPLATE'] ?? '';

/**
 * A separate database for each test file that imports this: a copy of the migrated template, made once per file, so
 * that no file sees the data of another. Dropped at the end of the run.
 */
export const databaseUrl = await createDatabase(nodes, `TEMPLATE ${template}`);

/** Another, empty database. */
export const createEmptyDatabase = (): Promise<string> => createDatabase([server], 'TEMPLATE template0');

async function createDatabase(where: readonly string[], how: string): Promise<string> {
  const name = `${template}_${process.env['JEST_WORKER_ID'] ?? '1'}_${randomBytes(3).toString('hex')}`;
  await onEachNode(where, `CREATE DATABASE ${name} ${how}`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
