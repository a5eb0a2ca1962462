import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import { MAPPED_FORMS, mappedSql, type MappedType } from '../../query/mapped-fields.js';
import { parseRawPath } from '../../query/raw-path.js';
import { RawJson } from '../../raw-json.js';
import { recordTypeOf } from '../../records/index.js';
import { requireCompany } from '../companies/require-company.js';

/** What is to be looked for, and where. */
interface MappingToCheck {
  readonly integrationType: string;
  readonly dataModel: string;
  readonly svcCompanyId: number | null;
  readonly path: string;
  readonly type: MappedType;
}

/** A record, what the path finds in it, and what it is as a field. */
interface MappingExample {
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly found: RawJson | string;
  readonly value: RawJson | null;
  readonly isFitting: boolean;
}

/** How a mapping fits what is stored. */
export interface MappingCheck {
  readonly examined: number;
  readonly fitting: number;
  readonly unfitting: number;
  readonly missing: number;
  readonly examples: readonly MappingExample[];
}

/** How many of the latest records are looked at. */
const MAX_EXAMINED = 1000;
/** How many examples there are of those that fit, and of those that do not. */
const MAX_EXAMPLES = 3;
const MAX_SHOWN = 200;

interface Looked {
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly found: RawJson | null;
  readonly value: unknown;
}

/** Looks at the latest records that are stored. Throws `invalid-params`, `not-found` of the company. */
export async function checkFieldMapping(context: Context, mapping: MappingToCheck): Promise<MappingCheck> {
  const { integrationType, dataModel, svcCompanyId, type } = mapping;
  const path = parseRawPath(mapping.path, 'path');
  const definition = recordTypeOf(dataModel);
  if (!definition) throw new AppError('not-found', 'there is no such record type', 'dataModel');
  if (svcCompanyId !== null) await requireCompany(context.client, svcCompanyId, 'companyId');
  const query = context.sql.query();
  const bound = query.bind(path);
  const company = svcCompanyId === null ? '' : ` AND t.svc_company_id = ${query.bind(svcCompanyId)}::bigint`;
  const rows = await context.sql.rows<Looked>(
    query,
    `SELECT t.svc_company_id AS "svcCompanyId", t.svc_id AS "svcId", ${mappedSql(type, 't', bound)} AS value,
       NULLIF(jsonb_path_query_first(t.raw_data, ${bound}::jsonpath, '{}', true), 'null') AS found
     FROM (SELECT t.svc_company_id, t.svc_id, t.raw_data FROM ${definition.table} t
       WHERE ${query.within('t')}${company} AND t.svc_integration_type = ${query.bind(integrationType)}
         AND t.svc_deleted_at IS NULL ORDER BY t.svc_id DESC LIMIT ${MAX_EXAMINED}) t`,
  );
  const present = rows.filter(({ found }) => found !== null);
  const fitting = present.filter(({ value }) => value !== null);
  const unfitting = present.filter(({ value }) => value === null);
  return {
    examined: rows.length,
    fitting: fitting.length,
    unfitting: unfitting.length,
    missing: rows.length - present.length,
    examples: [fitting, unfitting].flatMap((some) =>
      some.slice(0, MAX_EXAMPLES).map((one) => example(one, type)),
    ),
  };
}

const example = ({ svcCompanyId, svcId, found, value }: Looked, type: MappedType): MappingExample => ({
  svcCompanyId,
  svcId,
  found: found && found.text.length > MAX_SHOWN ? `${found.text.slice(0, MAX_SHOWN)}…` : (found ?? ''),
  value: value === null ? null : new RawJson(MAPPED_FORMS[type].write(value as never)),
  isFitting: value !== null,
});
