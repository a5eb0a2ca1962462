import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../src/db/__generated__/client.js';
import { databaseUrl } from './database.js';

const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: 4,
  options: '-c timezone=UTC',
  // Need not be closed.
  allowExitOnIdle: true,
});
// A test may terminate all sessions of its database.
pool.on('error', () => undefined);
pool.on('connect', (client) => client.on('error', () => undefined));

/** This file's database as its owner, who sees all organisations: to prepare test data and inspect results. */
export const admin = { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
