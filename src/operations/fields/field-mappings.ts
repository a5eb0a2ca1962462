import type { Context } from '../../context.js';
import type { FieldMappingModel } from '../../db/__generated__/models.js';
import { AppError } from '../../errors.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { MappedType } from '../../query/filters/mapped-fields.js';
import type { PageArguments } from '../../query/pages/page.js';

/** An earlier path and type of a mapping. */
interface EarlierMapping {
  readonly version: number;
  readonly path: string;
  readonly type: MappedType;
  readonly replacedAt: string;
}

/** A value of `raw_data` to which the organisation gave a name and type. */
export interface ListedMapping {
  readonly svcId: number;
  readonly svcOrganisationId: number;
  readonly svcCompanyId: number | null;
  readonly integrationType: string;
  readonly dataModel: string;
  readonly name: string;
  readonly path: string;
  readonly type: MappedType;
  readonly version: number;
  readonly earlier: readonly EarlierMapping[];
  readonly isIndexed: boolean;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

export type MappingConnection = CountedConnection<ListedMapping>;

/** Filter of mappings; null for all. */
interface MappingArguments extends PageArguments {
  readonly dataModel?: string | null | undefined;
  readonly integrationType?: string | null | undefined;
}

/**
 * Mappings of the organisation, oldest first; a key limited to companies sees those for all companies and for its own.
 */
export async function listFieldMappings(
  context: Context,
  { dataModel, integrationType, ...args }: MappingArguments,
): Promise<MappingConnection> {
  const all = (await allFieldMappings(context)).filter(
    (one) =>
      (dataModel == null || one.dataModel === dataModel) &&
      (integrationType == null || one.integrationType === integrationType),
  );
  return pageOfAll(
    'fieldMappings',
    all.map((node) => ({ id: String(node.svcId), node })),
    args,
    { limits: context.limits, nested: false },
  );
}

/** All mappings that the caller may see. */
export async function allFieldMappings({ client }: Context): Promise<ListedMapping[]> {
  const rows = await client.fieldMapping.findMany({ orderBy: { svcId: 'asc' } });
  return rows.map(presentMapping);
}

/** One mapping; null when there is none that the caller may see. */
export async function getFieldMapping(context: Context, svcId: number): Promise<ListedMapping | null> {
  const row = await findRow(context, svcId);
  return row && presentMapping(row);
}

/** The row of a mapping. Throws `not-found`. */
export async function requireMapping(context: Context, svcId: number): Promise<FieldMappingModel> {
  const row = await findRow(context, svcId);
  if (!row) throw new AppError('not-found', 'there is no such field mapping', 'svcId');
  return row;
}

const findRow = ({ client }: Context, svcId: number) =>
  client.fieldMapping.findFirst({ where: { svcId: BigInt(svcId) } });

export const presentMapping = (row: FieldMappingModel): ListedMapping => ({
  svcId: Number(row.svcId),
  svcOrganisationId: Number(row.svcOrganisationId),
  svcCompanyId: row.svcCompanyId === null ? null : Number(row.svcCompanyId),
  integrationType: row.integrationType,
  dataModel: row.dataModel,
  name: row.name,
  path: row.path,
  type: row.type as MappedType,
  version: row.version,
  earlier: row.earlier as unknown as readonly EarlierMapping[],
  isIndexed: row.isIndexed,
  svcCreatedAt: row.svcCreatedAt.toISOString(),
  svcUpdatedAt: row.svcUpdatedAt.toISOString(),
});
