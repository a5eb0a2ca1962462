import { databaseTime } from '../../db/clock.js';
import type { Context } from '../../context.js';
import type { TenantClient } from '../../db/tenant-client.js';

/** What a key did. Others are noted where they happen: the use of a key, keys made and revoked, a company removed. */
interface NewEvent {
  readonly organisationId: number;
  readonly companyId?: number;
  readonly eventType: 'SECRETS_READ' | 'LINK_MADE' | 'FIELD_MAPPING_CHANGED';
  readonly keyId: string | null;
  readonly subject: string;
}

/** Adds an event to the audit trail; of secrets that are read only the first time on a day. */
export async function noteEvent(client: TenantClient, event: NewEvent): Promise<void> {
  const { organisationId, companyId, eventType, keyId, subject } = event;
  await client.auditEvent.createMany({
    data: [
      {
        svcOrganisationId: BigInt(organisationId),
        svcCompanyId: companyId === undefined ? null : BigInt(companyId),
        eventType,
        keyId,
        subject,
        day: eventType === 'SECRETS_READ' ? new Date(databaseTime().toISOString().slice(0, 10)) : null,
      },
    ],
    skipDuplicates: true,
  });
}

/** Notes that the caller was shown secrets of this kind. */
export function noteSecretsRead({ client, sql, principal }: Context, kind: string): Promise<void> {
  const { organisationId } = sql.scope;
  return noteEvent(client, {
    organisationId,
    keyId: principal.keyId,
    eventType: 'SECRETS_READ',
    subject: kind,
  });
}
