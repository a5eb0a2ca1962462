import { performance } from 'node:perf_hooks';
import { organisationScope } from '../../db/scope.js';
import type { EventEngine } from '../engine.js';
import { Round } from './round.js';
import { readWebhook, releaseWebhook, type WebhookLease, WebhookLost } from './webhook-state.js';

/** After this time a turn sends nothing more: others get theirs, and requests in flight end within the lease. */
const TURN_MS = 1000;
/** A longer turn waited for answers that did not come within a second. */
const SLOW_TURN_MS = 2 * TURN_MS;
/** A turn, the longest answer, and time to store the result. */
export const LEASE_SECONDS = 25;

/** Sends a webhook's pending events, as many as fit in one turn. */
export async function runTurn(engine: EventEngine, lease: WebhookLease, signal: AbortSignal): Promise<void> {
  const sql = engine.database.sql(organisationScope(lease.organisationId));
  const began = performance.now();
  const beganAt = engine.now();
  const maySend = () => !signal.aborted && performance.now() - began < TURN_MS;
  try {
    for (;;) {
      const round = new Round(engine, sql, { lease, webhook: await readWebhook(sql, lease), maySend });
      if (!(await round.run()) || !maySend()) break;
    }
  } catch (error) {
    // After any other error the lease expires by itself, so that it does not recur immediately.
    if (!(error instanceof WebhookLost)) throw error;
  }
  await releaseWebhook(sql, lease, engine.now().getTime() - beganAt.getTime() > SLOW_TURN_MS);
}
