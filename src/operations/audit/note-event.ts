import { databaseTime } from '../../db/clock.js';
import type { Context } from '../../context.js';
import type { TenantClient } from '../../db/tenant-client.js';

/**
 * An action of a key. Others are recorded where they happen: use, creation and revocation of keys, removal of a
 * company.
 */
interface NewEvent {
  readonly organisationId: number;
  readonly companyId?: number;
  readonly eventType: 'SECRETS_READ' | 'LINK_MADE' | 'FIELD_MAPPING_CHANGED';
  readonly keyId: string | null;
  readonly subject: string;
}

/** Adds an event to the audit trail; reads of secrets only once a day. */
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

/** Records that the caller was shown secrets of this kind. */
export function noteSecretsRead({ client, sql, principal }: Context, kind: string): Promise<void> {
  const { organisationId } = sql.scope;
  return noteEvent(client, {
    organisationId,
    keyId: principal.keyId,
    eventType: 'SECRETS_READ',
    subject: kind,
  });
}
