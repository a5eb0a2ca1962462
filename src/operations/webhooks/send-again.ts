import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.js';
import type { WebhookModel } from '../../db/__generated__/models.js';
import { databaseTime } from '../../db/clock.js';
import { afterStoring } from '../../db/database-error.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { AppError, invalid, passingConflict } from '../../errors.js';
import { receiverOf, sourceOf } from '../../events/parts.js';
import { sendEvent } from '../../events/send.js';
import { type Delivery, noteDelivery } from '../../events/turn/webhook-state.js';
import { parseText } from '../../base/values.js';
import { requireCompany } from '../companies/require-company.js';
import { getDelivery, type ListedDelivery } from './deliveries.js';
import { type ListedWebhook, presentWebhook, requireManager } from './webhooks.js';
import { findWebhook } from './write-webhooks.js';

const SEND = 'send events to webhooks';

/**
 * Sends an event to a webhook now, whether or not it was attempted before, with its usual id. Throws `not-found`,
 * `forbidden`, `conflict`.
 */
export async function redeliverEvent(
  context: Context,
  { webhookId, eventId }: { readonly webhookId: string; readonly eventId: string },
): Promise<ListedDelivery> {
  requireManager(context, SEND);
  const webhook = await findWebhook(context, webhookId);
  const source = sourceOf(context, context.sql, wantedOf(webhook));
  const position = source.positionOf(parseText(eventId, 'eventId'));
  const event = position === null ? null : await source.at(position);
  if (!event) throw new AppError('not-found', 'there is no such event of this webhook', 'eventId');
  const delivery = await sendNow(context, webhook, event, event.body);
  if (delivery.state === 'DELIVERED') {
    // If its record's later events waited for it, they are sent immediately.
    const which = { webhookId: webhook.id, position: BigInt(event.position) };
    await context.client.webhookHold.updateMany({ where: which, data: { dueAt: databaseTime() } });
  }
  return delivery;
}

/** Sends an event marked as a test. Throws `not-found`, `forbidden`, `conflict`. */
export async function testWebhook(context: Context, webhookId: string): Promise<ListedDelivery> {
  requireManager(context, SEND);
  const webhook = await findWebhook(context, webhookId);
  const id = `test_${randomBytes(12).toString('hex')}`;
  const body = { type: TEST, event_id: id, webhook_id: webhook.id, created_at: databaseTime().toISOString() };
  return sendNow(
    context,
    webhook,
    { id, type: TEST, dataModel: null, companyId: null },
    JSON.stringify(body),
  );
}

const TEST = 'TEST';

async function sendNow(
  context: Context,
  webhook: WebhookModel,
  event: Delivery['event'],
  body: string,
): Promise<ListedDelivery> {
  const { sql, secrets, outbound } = context;
  const place = { id: webhook.id, organisationId: sql.scope.organisationId };
  const receiver = receiverOf({ secrets, now: databaseTime }, place, webhook);
  if (receiver.secrets.length === 0) {
    throw new AppError('operation-denied', 'the webhook has no secret to sign with: rotate its secret first');
  }
  const attempt = await sendEvent(outbound, receiver, { id: event.id, body }, databaseTime());
  const state = attempt.verdict === 'delivered' ? 'DELIVERED' : 'FAILED';
  if (!(await noteDelivery(sql, webhook, { event, attempt, state }))) {
    await findWebhook(context, webhook.id);
    if (event.companyId !== null) await requireCompany(context.client, event.companyId, 'eventId');
    throw passingConflict('the url of the webhook was changed meanwhile; try again');
  }
  const noted = await afterStoring(getDelivery(context, webhook.id, event.id));
  if (!noted) throw new AppError('not-found', 'the webhook was removed meanwhile', 'webhookId');
  return noted;
}

/** A time span; its default end is now. */
interface Span {
  readonly webhookId: string;
  readonly since: string;
  readonly until?: string | null | undefined;
}

/**
 * Makes workers resend the events of a time span, delivered or not, after new events. A span requested while another
 * one is pending is merged with it. Throws `invalid-params`, `not-found`, `operation-denied`.
 */
export async function redeliverSpan(context: Context, span: Span): Promise<ListedWebhook> {
  requireManager(context, SEND);
  const row = await findWebhook(context, span.webhookId);
  const since = new Date(span.since);
  const until = span.until == null ? databaseTime() : new Date(span.until);
  if (since > until) throw invalid('since', 'must not be later than until');
  if (!row.enabled) throw new AppError('operation-denied', 'the webhook is switched off: enable it first');
  const { sql } = context;
  const { after, until: last } = await sourceOf(context, sql, wantedOf(row)).between(since, until);
  // Events after its position are sent anyway.
  const end = Math.min(last, Number(row.position));
  if (end <= after) return presentWebhook(context, row);
  await joinReplay(sql, row, { after, end });
  return presentWebhook(context, row);
}

/**
 * In one statement: another span may have been requested, or a worker may have advanced, since the webhook was read.
 */
async function joinReplay(
  sql: TenantSql,
  { id, type }: WebhookModel,
  { after, end }: { readonly after: number; readonly end: number },
): Promise<void> {
  const query = sql.query();
  const [from, until] = [`${query.bind(after)}::bigint`, `${query.bind(end)}::bigint`];
  const rows = await sql.rows(
    query,
    `UPDATE webhooks t SET replay_after = LEAST(t.replay_after, ${from}),
       replay_until = CASE WHEN t.replay_after IS NULL THEN ${until} ELSE GREATEST(t.replay_until, ${until}) END
     WHERE ${query.within('t')} AND t.id = ${query.bind(id)} AND t.enabled AND t.type = ${query.bind(type)} RETURNING 1`,
  );
  if (rows.length === 0) throw passingConflict('the webhook was changed meanwhile; try again');
}

const wantedOf = ({ companyIds, ...webhook }: WebhookModel) => ({
  ...webhook,
  companyIds: companyIds.map(Number),
});
