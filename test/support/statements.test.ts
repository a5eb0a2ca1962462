import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { Connections } from '../../src/db/pool/connections.js';
import { Pipeline } from '../../src/db/pool/pipeline.js';
import { createTenant, type Tenant } from './seed.js';
import { startApp } from './service.js';
import { statementsOf } from './statements.js';

let app: App;
let acme: Tenant;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'statements');
});
afterAll(() => app.close());

const textsOf = async (work: () => Promise<unknown>) =>
  (await statementsOf(app, work)).map(({ text }) => text);

test('statements count on every way to the database, once each', async () => {
  const { pool } = app.database;
  const client = app.database.client(acme.scope);
  expect(await textsOf(() => pool.query('SELECT 1'))).toEqual(['SELECT 1']);
  const pipeline = new Pipeline(new Connections(pool, null), acme.scope);
  const together = ['SELECT 1', 'SELECT 2', 'SELECT 3'];
  expect(await textsOf(() => Promise.all(together.map((text) => pipeline.query({ text }))))).toEqual(
    together,
  );
  expect(await textsOf(() => client.company.count())).toEqual([expect.stringContaining('COUNT(')]);
  const counts = () => client.$transaction([client.company.count(), client.account.count()]);
  expect(await textsOf(counts)).toEqual(['BEGIN', expect.any(String), expect.any(String), 'COMMIT']);
  const read = () =>
    app.database.sql(acme.scope).transaction(async (sql) => {
      const query = sql.query();
      return sql.rows(query, `SELECT 1 FROM companies t WHERE ${query.within('t')}`);
    });
  const [begin, statement, commit] = await statementsOf(app, read);
  expect([begin?.text, commit?.text]).toEqual(['BEGIN', 'COMMIT']);
  expect(statement?.values).toEqual([acme.organisationId]);
  expect(await textsOf(() => Promise.resolve())).toEqual([]);
});
