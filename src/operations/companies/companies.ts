import { databaseTime } from '../../db/clock.js';
import { afterStoring } from '../../db/database-error.js';
import type { Context } from '../../context.js';
import type { Scope } from '../../db/scope.js';
import type { TenantClient } from '../../db/tenant-client.js';
import { differs } from '../../db/differs.js';
import { AppError } from '../../errors.js';
import type { Row } from '../../query/columns.js';
import { company } from '../../records/index.js';
import { type SentSyncSetting, type SyncSettingChange, writeSyncSettings } from '../../sync/sync-config.js';
import { parseName } from '../../base/values.js';
import { noteActivity } from '../../platforms/activities.js';
import { getRecord } from '../records/get-record.js';
import { inTransaction } from '../../db/in-transaction.js';
import { requireScope } from '../keys/require-scope.js';
import { parseCompanySettings } from '../syncs/sync-settings.js';

const EVERY_COLUMN = {
  definition: company,
  columns: new Set(Object.keys(company.fields)),
  key: 'Company(every)',
};

/** A company's row with everything that its fields may need. */
async function companyRow(context: Context, svcId: number): Promise<Row> {
  const row = await getRecord(context, EVERY_COLUMN, { svcId });
  if (!row) throw new AppError('not-found', 'there is no such company', 'svcId');
  return row;
}

interface NewCompany {
  readonly name: string;
  readonly settings?: readonly SyncSettingChange[];
}

/** Creates a company in the given transaction. */
export async function createCompany(
  transaction: TenantClient,
  organisationId: number,
  { name, settings = [] }: NewCompany,
): Promise<number> {
  const made = await transaction.company.create({
    data: { svcOrganisationId: BigInt(organisationId), name },
  });
  const companyId = Number(made.svcId);
  await writeSyncSettings(transaction, organisationId, companyId, settings);
  await noteActivity(transaction, { organisationId, companyId }, 'COMPANY_CREATED');
  return companyId;
}

/** The company of that name, created if there is none. Names may repeat: then the oldest is used. */
export async function findOrCreateCompany(
  client: TenantClient,
  { organisationId }: Scope,
  company: NewCompany,
): Promise<{ svcId: number; created: boolean }> {
  const found = await client.company.findFirst({ where: { name: company.name }, orderBy: { svcId: 'asc' } });
  if (found) return { svcId: Number(found.svcId), created: false };
  const svcId = await inTransaction(client, (transaction) =>
    createCompany(transaction, organisationId, company),
  );
  return { svcId, created: true };
}

interface CompanyChanges {
  readonly svcId: number;
  /** Absent or null: unchanged. */
  readonly name?: string | null | undefined;
  /** Absent: unchanged; null: none. */
  readonly partnerId?: string | null | undefined;
  readonly syncConfig?: readonly SentSyncSetting[] | null | undefined;
}

interface ChangedCompany {
  readonly company: Row;
  /** Warnings about input that the caller may not have intended. */
  readonly warnings: string[];
}

/** Changes a company. Throws `not-found`, `invalid-params`. */
export async function updateCompany(context: Context, changes: CompanyChanges): Promise<ChangedCompany> {
  requireScope(context, 'write', 'change companies');
  const { svcId, name, partnerId } = changes;
  const data = {
    ...(name == null ? {} : { name: parseName(name, 'name') }),
    ...(partnerId === undefined
      ? {}
      : { partnerId: partnerId === null ? null : parseName(partnerId, 'partnerId') }),
  };
  const settings = parseCompanySettings(changes.syncConfig);
  await inTransaction(context.client, async (transaction) => {
    const where = { svcId: BigInt(svcId) };
    const known = await transaction.company.findFirst({ where });
    if (!known) throw new AppError('not-found', 'there is no such company', 'svcId');
    const isSet = await writeSyncSettings(transaction, context.sql.scope.organisationId, svcId, settings);
    if (!isSet && !differs(known, data)) return;
    await transaction.company.updateMany({ where, data: { ...data, svcUpdatedAt: databaseTime() } });
  });
  return afterStoring(changedCompany(context, svcId, data.partnerId ?? null));
}

/** `partnerId`: as sent by the caller; null if absent. */
async function changedCompany(
  context: Context,
  svcId: number,
  partnerId: string | null,
): Promise<ChangedCompany> {
  const company = await companyRow(context, svcId);
  return { company, warnings: partnerId === null ? [] : await warningsOf(context, svcId, partnerId) };
}

const MAX_NAMED = 5;

/** Two companies of one customer may have its id, so it is not refused; more often it was sent to the wrong company. */
async function warningsOf({ client }: Context, svcId: number, partnerId: string): Promise<string[]> {
  const where = { partnerId, svcId: { not: BigInt(svcId) } };
  const orderBy = { svcId: 'asc' } as const;
  const others = await client.company.findMany({ where, orderBy, select: { svcId: true }, take: MAX_NAMED });
  if (others.length === 0) return [];
  const more = others.length < MAX_NAMED ? 0 : (await client.company.count({ where })) - others.length;
  const named = others.map((one) => `company ${one.svcId}`).join(', ');
  return [`the partner id is also that of ${named}${more > 0 ? ` and ${more} more` : ''}`];
}
