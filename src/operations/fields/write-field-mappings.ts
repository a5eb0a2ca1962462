import type { Context } from '../../context.js';
import type { FieldMappingModel } from '../../db/__generated__/models.js';
import { databaseTime } from '../../db/clock.js';
import { differs } from '../../db/differs.js';
import { inTransaction, inExclusiveTransaction } from '../../db/in-transaction.js';
import type { TenantClient } from '../../db/tenant-client.js';
import { AppError, invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { MappedType } from '../../query/filters/mapped-fields.js';
import { parseRawPath } from '../../query/filters/raw-path.js';
import { parseText } from '../../base/values.js';
import { noteEvent } from '../audit/note-event.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope, requireWholeOrganisation } from '../keys/require-scope.js';
import { type ListedMapping, presentMapping, requireMapping } from './field-mappings.js';

interface NewMapping {
  readonly integrationType: string;
  readonly dataModel: string;
  readonly companyId?: number | null | undefined;
  readonly name: string;
  readonly path: string;
  readonly type: MappedType;
  readonly isIndexed?: boolean | null | undefined;
}

/** A caller's changes; absent or null: unchanged. */
interface MappingChanges {
  readonly svcId: number;
  readonly path?: string | null | undefined;
  readonly type?: MappedType | null | undefined;
  readonly isIndexed?: boolean | null | undefined;
}

const NAME = /^[a-z][a-z0-9_]{0,59}$/;
/** Changes of mappings wait for each other, so that each sees the others. */
const TURN = 'field mappings';
/** How many earlier versions a mapping keeps. */
const MAX_EARLIER = 20;

/** Maps a path of `raw_data`. Throws `invalid-params`, `not-found` for the company, `operation-denied`, `forbidden`. */
export async function createFieldMapping(context: Context, input: NewMapping): Promise<ListedMapping> {
  const svcCompanyId = input.companyId ?? null;
  requireMapper(context, svcCompanyId);
  const { integrationType, dataModel, type } = input;
  const name = parseText(input.name, 'name');
  if (!NAME.test(name)) {
    throw invalid('name', 'must be up to 60 small letters, digits and underscores, a letter first');
  }
  parseRawPath(input.path, 'path');
  if (svcCompanyId !== null) await requireCompany(context.client, svcCompanyId, 'companyId');
  const { client, sql, limits } = context;
  const company = svcCompanyId === null ? null : BigInt(svcCompanyId);
  const where = { integrationType, dataModel, name, svcCompanyId: company };
  const data = {
    ...where,
    svcOrganisationId: BigInt(sql.scope.organisationId),
    path: input.path,
    type,
    isIndexed: input.isIndexed ?? false,
  };
  return inExclusiveTransaction(client, TURN, async (transaction) => {
    await requireOneType(transaction, { dataModel, name, type });
    if ((await transaction.fieldMapping.count()) >= limits.fieldMappings) {
      throw new AppError(
        'operation-denied',
        `an organisation has at most ${limits.fieldMappings} field mappings`,
      );
    }
    if (data.isIndexed) await requireIndexLeft(transaction, limits);
    if (await transaction.fieldMapping.findFirst({ where })) {
      throw invalid('name', 'is mapped already: change that mapping, or remove it first');
    }
    const row = await transaction.fieldMapping.create({ data });
    await noteChange(context, transaction, row, 'made');
    return presentMapping(row);
  });
}

/** Changes a mapping; a new path or type makes a new version. Throws `invalid-params`, `not-found`, `forbidden`. */
export async function updateFieldMapping(context: Context, changes: MappingChanges): Promise<ListedMapping> {
  const row = await requireMapping(context, changes.svcId);
  requireMapper(context, row.svcCompanyId);
  const path = changes.path ?? row.path;
  const type = changes.type ?? (row.type as MappedType);
  const isIndexed = changes.isIndexed ?? row.isIndexed;
  if (!differs(row, { path, type, isIndexed })) return presentMapping(row);
  parseRawPath(path, 'path');
  const isAnother = path !== row.path || type !== row.type;
  const { svcId, version } = row;
  const now = databaseTime();
  const replaced = { version, path: row.path, type: row.type, replacedAt: now.toISOString() };
  const earlier = [...presentMapping(row).earlier.map((one) => ({ ...one })), replaced];
  const data = {
    path,
    type,
    isIndexed,
    svcUpdatedAt: now,
    ...(isAnother ? { version: version + 1, earlier: earlier.slice(-MAX_EARLIER) } : {}),
  };
  return inExclusiveTransaction(context.client, TURN, async (transaction) => {
    if (type !== row.type) await requireOneType(transaction, { ...row, type });
    if (isIndexed && !row.isIndexed) await requireIndexLeft(transaction, context.limits);
    // Of two concurrent changes, one is based on an outdated version.
    const [updated] = await transaction.fieldMapping.updateManyAndReturn({ where: { svcId, version }, data });
    if (!updated) throw new AppError('conflict', 'was changed meanwhile: read the mapping again', 'svcId');
    await noteChange(context, transaction, updated, `version ${updated.version}`);
    return presentMapping(updated);
  });
}

/** Removes a mapping, and later its index. Throws `not-found`, `forbidden`. */
export async function deleteFieldMapping(context: Context, svcId: number): Promise<void> {
  const row = await requireMapping(context, svcId);
  requireMapper(context, row.svcCompanyId);
  await inTransaction(context.client, async (transaction) => {
    await transaction.fieldMapping.deleteMany({ where: { svcId: row.svcId } });
    await noteChange(context, transaction, row, 'removed');
  });
}

/** A mapping for all companies requires a key of the whole organisation. */
function requireMapper(context: Context, svcCompanyId: number | bigint | null): void {
  const what = 'change field mappings';
  requireScope(context, 'write', what);
  if (svcCompanyId === null) requireWholeOrganisation(context, `${what} of all companies`);
}

/** A name has one type in all platforms and companies, so that filters by it are unambiguous. */
async function requireOneType(
  client: TenantClient,
  { dataModel, name, type, svcId }: Pick<NewMapping, 'dataModel' | 'name' | 'type'> & { svcId?: bigint },
): Promise<void> {
  const other = await client.fieldMapping.findFirst({
    where: {
      dataModel,
      name,
      type: { not: type },
      ...(svcId === undefined ? {} : { svcId: { not: svcId } }),
    },
  });
  if (other) throw invalid('type', `must be ${other.type}, as in the other mappings of this name`);
}

async function requireIndexLeft(client: TenantClient, limits: Limits): Promise<void> {
  if ((await client.fieldMapping.count({ where: { isIndexed: true } })) < limits.indexedFields) return;
  throw new AppError(
    'operation-denied',
    `an organisation has at most ${limits.indexedFields} indexed fields`,
    'isIndexed',
  );
}

/** In the transaction of the change. */
const noteChange = (
  { sql, principal }: Context,
  transaction: TenantClient,
  row: FieldMappingModel,
  what: string,
) =>
  noteEvent(transaction, {
    organisationId: sql.scope.organisationId,
    ...(row.svcCompanyId === null ? {} : { companyId: Number(row.svcCompanyId) }),
    eventType: 'FIELD_MAPPING_CHANGED',
    keyId: principal.keyId,
    subject: `${row.integrationType} ${row.dataModel} ${row.name}: ${what}`,
  });
