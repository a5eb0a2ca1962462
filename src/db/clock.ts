import type pg from 'pg';

/** How far clocks drift apart in this time does not matter to deadlines of seconds and more. */
const READ_EVERY_MS = 60_000;

/** What the clock that nobody sets shows at the beginning of 1970 in the database's time. */
let origin = performance.timeOrigin;

/**
 * The time of the database, with which everything is compared that is stored with a time: processes on several machines
 * have clocks of their own. Until it was read once, this process's clock.
 */
export const databaseTime = (): Date => new Date(origin + performance.now());

/** Reads the database's clock now and then; one that does not answer is read later. Returns what ends that. */
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
