const setting = (name: string, type: string): string =>
  `NULLIF(current_setting('svc.${name}', true), '')::${type}`;
const ORGANISATION = setting('organisation', 'bigint');
const COMPANIES = setting('companies', 'bigint[]');
/** A sub-select is computed once for each statement. */
const once = (expression: string): string => `(SELECT ${expression})`;

interface Kind {
  /** Whether each row is of a company. */
  readonly namesCompany: boolean;
}

/**
 * Row-level security of a table that is spread: the same rows as `svc_protect_table` shows, in the few expressions that a
 * cluster hands on to its workers, which have neither sub-selects nor tests for null among them.
 */
export const policySql = (table: string, kind: Kind): string =>
  `CREATE POLICY svc_scope ON ${table} USING (${ruleOf(kind, ORGANISATION, COMPANIES)})`;

/**
 * Has each shard look at what the session may read once a statement instead of once a row, which is two thirds of what a count
 * takes. Shards alone can have that: what a cluster knows of the table, and gives a shard that it moves, is `policySql`.
 */
export function shardPolicySql(table: string, kind: Kind): string {
  const rule = ruleOf(kind, once(ORGANISATION), `${once(COMPANIES)}::bigint[]`);
  return `SELECT result FROM run_command_on_shards('${table}', $shard$ALTER POLICY svc_scope ON %s USING (${rule})$shard$) WHERE NOT success`;
}

function ruleOf({ namesCompany }: Kind, organisation: string, companies: string): string {
  const ofCompanies = namesCompany ? ` AND COALESCE(svc_company_id = ANY (${companies}), true)` : '';
  return `COALESCE(svc_organisation_id = ${organisation}${ofCompanies}, false)`;
}
