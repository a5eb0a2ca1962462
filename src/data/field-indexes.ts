import pg from 'pg';
import { keptAlive, withClient } from '../db/pool/client.js';
import { mappedSql, type MappedType } from '../query/filters/mapped-fields.js';
import { indexedSql } from '../query/filters/mapped-filter.js';
import { parseRawPath } from '../query/filters/raw-path.js';
import { recordTypeOf } from '../records/index.js';

const { escapeLiteral } = pg;

/** Held by the process that creates indexes: others check again a minute later. */
const LOCK = 'svc field indexes';

interface WantedIndex {
  readonly name: string;
  readonly organisation: string;
  readonly company: string | null;
  readonly integrationType: string;
  readonly dataModel: string;
  readonly path: string;
  readonly type: MappedType;
}

interface TendedIndexes {
  readonly made: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Creates the indexes of field mappings and removes unneeded ones: of old versions, of removed mappings, and unfinished
 * ones of a process that died. Runs as the owner, without blocking writes.
 */
export function tendFieldIndexes(ownerUrl: string): Promise<TendedIndexes> {
  return withClient(keptAlive(ownerUrl), async (owner) => {
    const { rows } = await owner.query<{ held: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
      [LOCK],
    );
    if (!rows[0]?.held) return { made: [], removed: [] };
    const wanted = await wantedIndexes(owner);
    const existing = await existingIndexes(owner);
    const isWanted = (name: string) => wanted.some((one) => one.name === name);
    const removed = existing.filter(({ name, valid }) => !valid || !isWanted(name)).map(({ name }) => name);
    for (const name of removed) {
      await owner.query(`DROP INDEX CONCURRENTLY IF EXISTS public.${pg.escapeIdentifier(name)}`);
    }
    const kept = existing.filter(({ name }) => !removed.includes(name)).map(({ name }) => name);
    const made: string[] = [];
    for (const index of wanted.filter(({ name }) => !kept.includes(name))) {
      const statement = indexSql(index);
      if (statement === null) continue;
      await owner.query(statement);
      made.push(index.name);
    }
    return { made, removed };
  });
}

async function wantedIndexes(owner: pg.ClientBase): Promise<WantedIndex[]> {
  const { rows } = await owner.query<WantedIndex>(
    `SELECT 'svc_field_' || svc_id || '_' || version AS name, svc_organisation_id::text AS organisation,
       svc_company_id::text AS company, integration_type AS "integrationType", data_model AS "dataModel", path, type
     FROM field_mappings WHERE is_indexed ORDER BY svc_id`,
  );
  return rows;
}

async function existingIndexes(owner: pg.ClientBase): Promise<{ name: string; valid: boolean }[]> {
  const { rows } = await owner.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname ~ '^svc_field_[0-9]+_[0-9]+$'`,
  );
  return rows;
}

/** A partial index on the organisation's records of the platform. Null for a record type that no longer exists. */
function indexSql({ name, organisation, company, integrationType, ...field }: WantedIndex): string | null {
  const definition = recordTypeOf(field.dataModel);
  if (!definition) return null;
  const path = escapeLiteral(parseRawPath(field.path, 'path'));
  // Without an alias, as index expressions require.
  const value = mappedSql(field.type, definition.table, path);
  const companies = company === null ? '' : ` AND svc_company_id = ${BigInt(company)}`;
  return `CREATE INDEX CONCURRENTLY ${pg.escapeIdentifier(name)} ON public.${definition.table}
    ((${indexedSql(field.type, value)}), svc_company_id) WHERE svc_organisation_id = ${BigInt(organisation)}
    AND svc_integration_type = ${escapeLiteral(integrationType)}${companies}`;
}
