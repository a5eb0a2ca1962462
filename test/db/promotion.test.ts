import { afterAll, expect, test } from '@jest/globals';
import { startLine, startReplicated } from '../support/replicated.js';
import { startStandby } from '../support/standby.js';
import { until } from '../support/until.js';

const replicated = await startReplicated();
const { primary, standby, url, outcomesOf, untilUsed, untilLeftOut, names } = replicated;
const { callerOf, startApp } = replicated.service;
afterAll(() => replicated.stop());
const { tenant, caller } = await replicated.makeReader('promoted');

test('a replica that is promoted is left out, and then the one that does not follow it', async () => {
  const toPrimary = await startLine(new URL(url));
  const parted = await startStandby(primary);
  const settings = { DATABASE_REPLICA_URL: parted.url(url), DATABASE_REPLICA_MAX_LAG_SECONDS: '3600' };
  const after = await startApp({ ...settings, DATABASE_URL: toPrimary.url });
  const reader = callerOf(after, caller.key);
  const metrics = async () =>
    (await reader.get('/metrics')).text
      .split('\n')
      .filter((one) => one.includes(new URL(parted.url(url)).host))
      .join('\n');
  try {
    await until('the replica to be used', async () => /^database_replica_used.* 1$/m.test(await metrics()));
    await untilUsed();
    await standby.query('SELECT pg_promote()');
    const { result, outcomes } = await outcomesOf(() => names(caller));
    expect(result).toEqual(['Till']);
    expect(outcomes['answered']).toBeUndefined();
    await untilLeftOut();
    // What the new primary has not got when the old one is lost.
    await tenant.store('Account', [{ platformId: 'lost', values: { name: 'Lost' } }]);
    await until('the record to be there', async () => {
      const there = await parted.query(`SELECT FROM accounts WHERE name = 'Lost'`, url);
      return there.length;
    });
    await primary.stop();
    await standby.query(
      `UPDATE accounts SET name = 'Kept' WHERE platform_id = 'till';
       UPDATE change_heads SET position = position + 1 WHERE svc_organisation_id = ${tenant.organisationId}`,
      url,
    );
    await standby.query('SELECT pg_switch_wal()');
    await standby.query('CREATE TABLE beyond (); DROP TABLE beyond');
    toPrimary.turn(new URL(standby.url(url)));
    const shown = new Set<string>();
    await until(
      'the replica to be compared with the new primary',
      async () => {
        const { status, body } = await reader.get('/v3/accounting/accounts');
        if (status !== 200) return false;
        shown.add(
          (body.data as { name: string }[])
            .map(({ name }) => name)
            .sort()
            .join(),
        );
        const found = await metrics();
        return /^database_replica_used.* 0$/m.test(found) && found.includes('lag_seconds');
      },
      // So that a read connects to the new primary before the watch does.
      { everyMilliseconds: 1 },
    );
    expect([...shown]).toEqual(['Kept']);
  } finally {
    await after.close();
    toPrimary.close();
    await parted.stop();
  }
});
