import type { TenantSql } from '../db/tenant-sql.js';
import { changeEvents } from './sources/change-events.js';
import type { EventEngine } from './engine.js';
import type { EventSource, EventFilter } from './event.js';
import { OF_RECORDS } from './sources/log-heads.js';
import { openHeaders, splitSecrets, webhookPlace } from './sealed-webhook.js';
import type { Receiver } from './send.js';
import { serviceEvents } from './sources/service-events.js';

/** The source of events for webhooks of this type. */
export const sourceOf = (
  { readChanges }: Pick<EventEngine, 'readChanges'>,
  sql: TenantSql,
  webhook: EventFilter & { readonly type: string },
): EventSource =>
  webhook.type === OF_RECORDS
    ? changeEvents(sql, readChanges, webhook)
    : serviceEvents(sql, webhook.type, webhook);

/** A webhook's receiver as stored. */
interface StoredReceiver {
  readonly url: string;
  readonly headers: string;
  readonly secret: string | null;
  readonly oldSecret: string | null;
  readonly oldSecretUntil: Date | string | null;
}

/** The receiver with its secrets opened. */
export function receiverOf(
  { secrets, now }: Pick<EventEngine, 'secrets' | 'now'>,
  { id, organisationId }: { readonly id: string; readonly organisationId: number },
  { url, headers, secret, oldSecret, oldSecretUntil }: StoredReceiver,
): Receiver {
  const isOldValid = oldSecretUntil !== null && new Date(oldSecretUntil) > now();
  const open = (sealed: string | null, column: 'secret' | 'old_secret') =>
    sealed === null ? [] : splitSecrets(secrets.open(sealed, webhookPlace(id, organisationId, column)));
  return {
    url,
    headers: openHeaders(secrets, { id, organisationId, headers }),
    secrets: [...open(secret, 'secret'), ...(isOldValid ? open(oldSecret, 'old_secret') : [])],
  };
}
