import type { App } from '../../src/app.js';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Collects every SQL statement that runs while `work` does, Prisma's and ours. */
export async function statementsOf(app: App, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { pool } = app.database;
  const original = pool.query.bind(pool);
  const note = (first: unknown, second: unknown) => {
    const query = typeof first === 'string' ? { text: first, values: second } : (first as Statement);
    statements.push({ text: query.text, values: (query.values as unknown[] | undefined) ?? [] });
  };
  pool.query = ((first: unknown, second: unknown) => {
    note(first, second);
    return (original as (...args: unknown[]) => unknown)(first, second);
  }) as typeof pool.query;
  try {
    await work();
  } finally {
    pool.query = original;
  }
  return statements;
}
