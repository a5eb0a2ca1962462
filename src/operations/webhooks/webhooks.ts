import type { Context } from '../../context.js';
import type { WebhookModel } from '../../db/__generated__/models.js';
import { AppError } from '../../errors.js';
import { openHeaders } from '../../events/sealed-webhook.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { PageArguments } from '../../query/pages/page.js';
import { MASKED } from '../../secrets/secret-box.js';
import { parseText } from '../../base/values.js';
import { noteSecretsRead } from '../audit/note-event.js';
import { isForWholeOrganisation, requireScope, requireWholeOrganisation } from '../keys/require-scope.js';

/** Reference 2.3, Webhook. */
export interface ListedWebhook {
  readonly id: string;
  readonly svcOrganisationId: number;
  readonly name: string;
  readonly type: string;
  readonly dataModels: readonly string[];
  readonly operations: readonly string[];
  readonly companyIds: readonly number[];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  /** Why the service disabled it. */
  readonly disabledReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type WebhookConnection = CountedConnection<ListedWebhook>;

/** The organisation's webhooks, oldest first. */
export async function listWebhooks(context: Context, args: PageArguments): Promise<WebhookConnection> {
  const all = await allWebhooks(context);
  return pageOfAll(
    'webhooks',
    all.map((node) => ({ id: node.id, node })),
    args,
    { limits: context.limits, nested: false },
  );
}

/** All of them, oldest first. */
export async function allWebhooks(context: Context): Promise<ListedWebhook[]> {
  const rows = await context.client.webhook.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  if (rows.length > 0 && isManager(context)) await noteSecretsRead(context, 'webhook headers');
  return rows.map((row) => presentWebhook(context, row));
}

/** One webhook; null when this organisation has none of that id. */
export async function getWebhook(context: Context, id: string): Promise<ListedWebhook | null> {
  const row = await context.client.webhook.findFirst({ where: { id } });
  if (row && isManager(context)) await noteSecretsRead(context, 'webhook headers');
  return row && presentWebhook(context, row);
}

/** Removes a webhook. Throws `forbidden` without the scope, `not-found`. */
export async function deleteWebhook(context: Context, id: string): Promise<void> {
  requireManager(context, 'change webhooks');
  const { count } = await context.client.webhook.deleteMany({ where: { id: parseText(id, 'webhookId') } });
  if (count === 0) throw noSuchWebhook();
}

export const noSuchWebhook = (): AppError =>
  new AppError('not-found', 'there is no such webhook', 'webhookId');

export const isManager = (context: Context): boolean =>
  context.principal.scopes.has('webhooks:manage') && isForWholeOrganisation(context);

/** Throws `forbidden` if the key may not manage webhooks, which belong to the whole organisation. */
export function requireManager(context: Context, what: string): void {
  requireScope(context, 'webhooks:manage', what);
  requireWholeOrganisation(context, what);
}

export function presentWebhook(context: Context, row: WebhookModel): ListedWebhook {
  const organisationId = Number(row.svcOrganisationId);
  const headers = openHeaders(context.secrets, { ...row, organisationId });
  const shown = isManager(context);
  return {
    id: row.id,
    svcOrganisationId: organisationId,
    name: row.name,
    type: row.type,
    dataModels: row.dataModels,
    operations: row.operations,
    companyIds: row.companyIds.map(Number),
    url: row.url,
    headers: shown ? headers : Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED])),
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
