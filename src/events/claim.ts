import type { Database } from '../db/database.js';
import type { WebhookLease } from './turn/webhook-state.js';
import { LEASE_SECONDS } from './turn/run-turn.js';

/** Maximum webhooks of one organisation served at a time, over all processes, so that others get their share. */
const MAX_EACH = 32;

/** Leases webhooks with pending events, of any organisation. */
export async function claimWebhooks(
  { pool, nodes }: Database,
  { workerId, now, max }: { readonly workerId: string; readonly now: Date; readonly max: number },
): Promise<WebhookLease[]> {
  const { rows } = await pool.query<WebhookLease>(
    `SELECT id, svc_organisation_id::float8 AS "organisationId", fence FROM svc_claim_webhooks($1, $2, $3, $4, $5, $6)`,
    [workerId, now, max, MAX_EACH, LEASE_SECONDS, nodes?.away() ?? []],
  );
  return rows;
}
