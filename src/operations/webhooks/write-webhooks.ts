import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.js';
import type { WebhookModel } from '../../db/__generated__/models.js';
import { databaseTime } from '../../db/clock.js';
import { afterStoring } from '../../db/database-error.js';
import { inTransaction, inExclusiveTransaction } from '../../db/in-transaction.js';
import { AppError, invalid, passingConflict } from '../../errors.js';
import { readHead } from '../../events/sources/log-heads.js';
import { receiverOf } from '../../events/parts.js';
import { joinSecrets, openHeaders, webhookPlace } from '../../events/sealed-webhook.js';
import { randomSecret } from '../../events/signature.js';
import { parseName, parseText } from '../../base/values.js';
import { requireCompany } from '../companies/require-company.js';
import { parseHeaders } from './webhook-headers.js';
import { type ListedWebhook, noSuchWebhook, presentWebhook, requireManager } from './webhooks.js';

/** A webhook's settings from a caller; absent or null: unchanged, or the default for a new one. */
interface WebhookSettings {
  readonly name?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly dataModels?: readonly string[] | null | undefined;
  readonly operations?: readonly string[] | null | undefined;
  readonly companyIds?: readonly number[] | null | undefined;
  readonly url?: string | null | undefined;
  readonly headers?: unknown;
  readonly enabled?: boolean | null | undefined;
}

interface NewWebhook extends WebhookSettings {
  readonly name: string;
  readonly type: string;
  readonly url: string;
}

/** A webhook with its new secret, which is shown only once. */
interface WithSecret {
  readonly webhook: ListedWebhook;
  readonly secret: string;
}

const ID_BYTES = 12;
/** How long the previous secret stays valid after a rotation. */
const ROTATION_MS = 24 * 3_600_000;

/** Creates a webhook. Throws `invalid-params`, `not-found` for a company. */
export async function createWebhook(context: Context, input: NewWebhook): Promise<WithSecret> {
  requireManager(context, 'make webhooks');
  const { name, type, url, ...others } = input;
  const settings = await readSettings(context, others);
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomSecret();
  const data = {
    ...settings,
    id,
    svcOrganisationId: BigInt(context.sql.scope.organisationId),
    name: parseName(name, 'name'),
    type,
    url: parseReceiver(context, url),
    headers: sealHeaders(context, id, parseHeaders(input.headers ?? {})),
    enabled: input.enabled ?? true,
    secret: seal(context, id, 'secret', secret),
    position: BigInt(await readHead(context.sql, type)),
  };
  const { maxWebhooks } = context.limits;
  const row = await inExclusiveTransaction(context.client, 'webhooks', async ({ webhook }) => {
    if ((await webhook.count()) < maxWebhooks) return webhook.create({ data });
    throw new AppError('operation-denied', `an organisation has at most ${maxWebhooks} webhooks`);
  });
  return { webhook: presentWebhook(context, row), secret };
}

interface WebhookChanges extends WebhookSettings {
  readonly webhookId: string;
}

/** Changes a webhook. Throws `invalid-params`, `not-found` for it or a company. */
export async function updateWebhook(context: Context, changes: WebhookChanges): Promise<ListedWebhook> {
  requireManager(context, 'change webhooks');
  const row = await findWebhook(context, changes.webhookId);
  const { headers, enabled } = changes;
  if (enabled === true && row.secret === null) {
    throw invalid('enabled', 'cannot be true before the webhook has a secret: rotate its secret first');
  }
  const type = changes.type ?? row.type;
  const isStarted = (enabled === true && !row.enabled) || type !== row.type;
  const settings = await readSettings(context, changes);
  const isMoved = settings.url !== undefined && settings.url !== row.url;
  const data = {
    ...settings,
    ...(isMoved ? MOVED : {}),
    ...(isStarted ? { ...STARTED_AGAIN, position: BigInt(await readHead(context.sql, type)) } : {}),
    ...(headers == null
      ? {}
      : { headers: sealHeaders(context, row.id, parseHeaders(headers, headersOf(context, row))) }),
    // Clears the reason for a switch-off that happened in the meantime.
    ...(enabled == null ? {} : { enabled, ...(enabled ? { disabledReason: null } : {}) }),
    updatedAt: databaseTime(),
  };
  const updated = await inTransaction(context.client, async (transaction) => {
    const [changed] = await transaction.webhook.updateManyAndReturn({ where: { id: row.id }, data });
    // Another request has deleted it meanwhile.
    if (!changed) throw noSuchWebhook();
    const holds = { where: { webhookId: row.id } };
    if (isStarted) await transaction.webhookHold.deleteMany(holds);
    else if (isMoved) await transaction.webhookHold.updateMany({ ...holds, data: { dueAt: databaseTime() } });
    return changed;
  });
  return presentWebhook(context, updated);
}

/** A new receiver has no failures yet; a delivery in flight to the old one stores nothing. */
const MOVED = {
  failures: 0,
  failingSince: null,
  dueAt: null,
  slow: false,
  leasedUntil: null,
  fence: { increment: 1 },
};

/** Starts from now: pending events are dropped. */
const STARTED_AGAIN = { ...MOVED, replayAfter: null, replayUntil: null, disabledReason: null };

/** Limit for repeated rotations, as the receiver may know none of the secrets. */
const MAX_OLD_SECRETS = 5;

/** Rotates a webhook's secret; previous ones also sign for a day. Throws `not-found`, `conflict`. */
export async function rotateWebhookSecret(context: Context, webhookId: string): Promise<WithSecret> {
  requireManager(context, 'change webhooks');
  const found = await findWebhook(context, webhookId);
  const { id } = found;
  const { organisationId } = context.sql.scope;
  const secret = randomSecret();
  const now = databaseTime();
  const signing = receiverOf({ secrets: context.secrets, now: () => now }, { id, organisationId }, found);
  const before = signing.secrets.slice(0, MAX_OLD_SECRETS);
  const { count } = await context.client.webhook.updateMany({
    // Of two concurrent rotations, the second would lose the secret shown by the first.
    where: { id, secret: found.secret },
    data: {
      secret: seal(context, id, 'secret', secret),
      oldSecret: before.length === 0 ? null : seal(context, id, 'old_secret', joinSecrets(before)),
      oldSecretUntil: before.length === 0 ? null : new Date(now.getTime() + ROTATION_MS),
      updatedAt: now,
    },
  });
  if (count === 0) throw passingConflict('the webhook was changed meanwhile; try again');
  return { webhook: presentWebhook(context, await afterStoring(findWebhook(context, id))), secret };
}

/** The webhook of that id. Throws `not-found`. */
export async function findWebhook({ client }: Context, webhookId: string): Promise<WebhookModel> {
  const row = await client.webhook.findFirst({ where: { id: parseText(webhookId, 'webhookId') } });
  if (!row) throw noSuchWebhook();
  return row;
}

/** The columns of the given settings, except encrypted ones. */
async function readSettings(context: Context, settings: WebhookSettings) {
  const { name, type, dataModels, operations, companyIds, url } = settings;
  for (const [index, companyId] of (companyIds ?? []).entries()) {
    await requireCompany(context.client, companyId, ['companyIds', index]);
  }
  return {
    ...(name == null ? {} : { name: parseName(name, 'name') }),
    ...(type == null ? {} : { type }),
    ...(dataModels == null ? {} : { dataModels: [...new Set(dataModels)] }),
    ...(operations == null ? {} : { operations: [...new Set(operations)] }),
    ...(companyIds == null ? {} : { companyIds: [...new Set(companyIds)].map(BigInt) }),
    ...(url == null ? {} : { url: parseReceiver(context, url) }),
  };
}

/** Refuses a fragment, which is never sent: a caller that gives one expects it to be. */
function parseReceiver({ outbound }: Context, url: string): string {
  const parsed = outbound.parseAddress(url, 'url');
  if (url.includes('#'))
    throw invalid('url', 'must not have a fragment (`#` and what follows), which is never sent');
  return parsed;
}

const headersOf = ({ secrets, sql }: Context, row: WebhookModel) =>
  openHeaders(secrets, { ...row, organisationId: sql.scope.organisationId });

const sealHeaders = (context: Context, id: string, headers: Readonly<Record<string, string>>): string =>
  seal(context, id, 'headers', JSON.stringify(headers));

const seal = (
  { secrets, sql }: Context,
  id: string,
  column: 'headers' | 'secret' | 'old_secret',
  text: string,
): string => secrets.seal(text, webhookPlace(id, sql.scope.organisationId, column));
