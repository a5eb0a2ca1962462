import type pg from 'pg';

/** Clock drift within this time does not matter to deadlines of seconds and more. */
const READ_EVERY_MS = 60_000;

/** Value of the monotonic clock at the database's Unix epoch. */
let origin = performance.timeOrigin;

/**
 * The database's current time, for comparison with stored times: clocks of several machines differ. This process's
 * clock until the database's was first read.
 */
export const databaseTime = (): Date => new Date(origin + performance.now());

/** Reads the database's clock periodically, and later if it does not answer. Returns the function that stops this. */
export async function followClock(pool: pg.Pool): Promise<() => void> {
  const read = async () => {
    const asked = performance.now();
    const { rows } = await pool.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    );
    const [row] = rows;
    if (row) origin = row.now - (asked + performance.now()) / 2;
  };
  const readOrNot = () => read().catch(() => undefined);
  await readOrNot();
  const timer = setInterval(() => void readOrNot(), READ_EVERY_MS).unref();
  return () => clearInterval(timer);
}
