import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { Connections } from '../../src/db/pool/connections.js';
import { Pipeline } from '../../src/db/pool/pipeline.js';
import { Login } from '../../src/db/pool/login.js';
import { createPool } from '../../src/db/pool/pool.js';
import { organisationScope } from '../../src/db/scope.js';
import { testLogin } from '../support/service.js';

const SCOPE = organisationScope(1);
let pool: pg.Pool;

beforeAll(() => {
  pool = createPool({
    login: testLogin(),
    size: 3,
    statementMilliseconds: 5000,
    onError: () => undefined,
  });
});
afterAll(() => pool.end());

const pidAnd = (value: string) => ({ text: `SELECT pg_backend_pid() AS pid, ${value} AS value` });
const rowOf = async (answer: Promise<pg.QueryResult>) =>
  (await answer).rows[0] as { pid: number; value: number };

test('statements of one turn share a connection, those of another turn need not', async () => {
  const pipeline = new Pipeline(new Connections(pool, null), SCOPE);
  const [one, two, three] = await Promise.all(
    ['1', '2', '3'].map((value) => rowOf(pipeline.query(pidAnd(value)))),
  );
  expect([one, two, three].map((row) => row?.value)).toEqual([1, 2, 3]);
  expect(new Set([one, two, three].map((row) => row?.pid)).size).toBe(1);
  expect(await rowOf(pipeline.query(pidAnd('4')))).toMatchObject({ value: 4 });
  expect(pool.idleCount).toBe(pool.totalCount);
});

test('each fails by itself', async () => {
  const pipeline = new Pipeline(new Connections(pool, null), SCOPE);
  const answers = await Promise.allSettled([
    rowOf(pipeline.query(pidAnd('1'))),
    rowOf(pipeline.query(pidAnd('1 / 0'))),
    rowOf(pipeline.query({ text: 'SELECT nothing', name: 'unknown_column' })),
    rowOf(pipeline.query({ ...pidAnd('2'), name: 'named' })),
    rowOf(pipeline.query({ ...pidAnd('2'), name: 'named' })),
  ]);
  expect(answers).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ value: 1 }) },
    { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
    { status: 'rejected', reason: expect.objectContaining({ code: '42703' }) },
    { status: 'fulfilled', value: expect.objectContaining({ value: 2 }) },
    { status: 'fulfilled', value: expect.objectContaining({ value: 2 }) },
  ]);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test('a connection that is lost under way fails what it carried, and is not used again', async () => {
  const pipeline = new Pipeline(new Connections(pool, null), SCOPE);
  const answers = await Promise.allSettled([
    pipeline.query({ text: 'SELECT pg_terminate_backend(pg_backend_pid())' }),
    pipeline.query(pidAnd('1')),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const after = await Promise.all([1, 2, 3, 4].map((value) => rowOf(pipeline.query(pidAnd(String(value))))));
  expect(after.map(({ value }) => value)).toEqual([1, 2, 3, 4]);
});

test('without a connection all are told', async () => {
  const none = createPool({
    login: new Login(['postgresql://nobody@127.0.0.1:1/none']),
    size: 1,
    statementMilliseconds: 5000,
    onError: () => undefined,
  });
  const pipeline = new Pipeline(new Connections(none, null), SCOPE);
  const answers = await Promise.allSettled([pipeline.query(pidAnd('1')), pipeline.query(pidAnd('2'))]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await none.end();
});
