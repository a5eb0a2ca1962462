import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../src/db/__generated__/client.js';
import { databaseUrl } from './database.js';

const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: 4,
  options: '-c timezone=UTC',
  // Nobody has to close it.
  allowExitOnIdle: true,
});
// A test may end all sessions of its database.
pool.on('error', () => undefined);
pool.on('connect', (client) => client.on('error', () => undefined));

/** This file's database as its owner sees it: all organisations, to prepare what a test needs and to look at the result. */
export const admin = { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
