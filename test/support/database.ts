import { randomBytes } from 'node:crypto';
import { onEachNode } from './nodes.js';

const server = process.env['TEST_DATABASE_BASE'] ?? '';
/** Of a cluster all its nodes, the server first. */
const nodes = (process.env['TEST_DATABASE_NODES'] ?? '').split(' ');
/** Copied for each file; its name is the run's, and begins the names of all databases that a run makes. */
const template = process.env['TEST_DATABASE_TEMPLATE'] ?? '';

/**
 * A database of its own for each test file that imports this: a copy of the migrated template, made once a file, so that
 * no file finds what another left behind. Dropped at the end of the run.
 */
export const databaseUrl = await createDatabase(nodes, `TEMPLATE ${template}`);

/** Another one, without anything in it. */
export const createEmptyDatabase = (): Promise<string> => createDatabase([server], 'TEMPLATE template0');

async function createDatabase(where: readonly string[], how: string): Promise<string> {
  const name = `${template}_${process.env['JEST_WORKER_ID'] ?? '1'}_${randomBytes(3).toString('hex')}`;
  await onEachNode(where, `CREATE DATABASE ${name} ${how}`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
