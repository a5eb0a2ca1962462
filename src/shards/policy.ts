const ORGANISATION = `NULLIF(current_setting('svc.organisation', true), '')::bigint`;
const COMPANIES = `NULLIF(current_setting('svc.companies', true), '')::bigint[]`;

/**
 * Row-level security of a table that is spread: the same rows as `svc_protect_table` shows, in the few expressions that a
 * cluster hands on to its workers, which have neither sub-selects nor tests for null among them.
 */
export function policySql(table: string, { namesCompany }: { readonly namesCompany: boolean }): string {
  const ofCompanies = namesCompany ? ` AND COALESCE(svc_company_id = ANY (${COMPANIES}), true)` : '';
  return (
    `CREATE POLICY svc_scope ON ${table} USING ` +
    `(COALESCE(svc_organisation_id = ${ORGANISATION}${ofCompanies}, false))`
  );
}
