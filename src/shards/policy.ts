import { DISTRIBUTION_COLUMN, type Placement } from './placement.js';

const ORGANISATION = `NULLIF(current_setting('svc.organisation', true), '')::bigint`;
const COMPANIES = `NULLIF(current_setting('svc.companies', true), '')::bigint[]`;

/**
 * Row-level security of a table that is spread: the same rows as `svc_protect_table` shows, in the few expressions that a
 * cluster hands on to its workers, which have neither sub-selects nor tests for null among them.
 */
export function policySql(table: string, by: Exclude<Placement, 'coordinator'>): string {
  const ofCompanies =
    by === 'company' ? ` AND COALESCE(${DISTRIBUTION_COLUMN.company} = ANY (${COMPANIES}), true)` : '';
  return (
    `CREATE POLICY svc_scope ON ${table} USING ` +
    `(COALESCE(${DISTRIBUTION_COLUMN.organisation} = ${ORGANISATION}${ofCompanies}, false))`
  );
}
