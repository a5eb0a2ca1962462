import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { tendFieldIndexes } from '../../src/data/field-indexes.js';
import { admin } from '../support/admin.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The timer of the TCP socket with this local port, as Linux names it: `02` sends keepalives, `00` is none. */
function timerOf(port: number): string | null {
  const local = port.toString(16).toUpperCase().padStart(4, '0');
  for (const file of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [, address = '', , , , timer = ''] = line.trim().split(/\s+/);
      if (address.endsWith(`:${local}`)) return timer.slice(0, 2);
    }
  }
  return null;
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the work on field indexes asks a silent network whether its connection is still there', async () => {
  const holder = await admin.pool.connect();
  let tended: Promise<unknown> | undefined;
  try {
    await holder.query('BEGIN; LOCK TABLE field_mappings IN ACCESS EXCLUSIVE MODE');
    tended = tendFieldIndexes(testDatabaseUrl());
    const port = await until('its statement', async () => {
      const { rows } = await admin.pool.query<{ client_port: number }>(
        `SELECT client_port FROM pg_stat_activity WHERE datname = current_database()
         AND cardinality(pg_blocking_pids(pid)) > 0 AND query LIKE '%FROM field_mappings WHERE is_indexed%'`,
      );
      return rows[0]?.client_port;
    });
    // 01: what was sent is not acknowledged yet.
    const timer = await until('its timer', () => {
      const now = timerOf(port);
      return now !== '01' && now;
    });
    expect(timer).toBe('02');
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
    await tended;
  }
});
