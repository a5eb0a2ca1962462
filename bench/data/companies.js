/** The percentage of row blocks that belong to the first company; the others share the rest. */
const BIG_SHARE = 70;
const COMPANIES = 20;
/** Rows arrive as a sync would store them: in batches per company, with companies taking turns. */
const BLOCK = 500;

/**
 * Four organisations with five companies each, and `bench_rows`: the company of each row number and its number within
 * that company. Company 1001 of organisation 1 is the one measured.
 */
export function companiesSql(rows) {
  return [
    `INSERT INTO organisations (svc_id, name) SELECT o, 'Bench ' || o FROM generate_series(1, 4) o`,
    `INSERT INTO companies (svc_id, svc_organisation_id, name, base_currency_code)
     SELECT 1000 + c, (c - 1) / 5 + 1, 'Company ' || c, 'AUD' FROM generate_series(1, ${COMPANIES}) c`,
    `INSERT INTO connections (svc_organisation_id, svc_company_id, svc_id, integration_type, category,
       external_account_id, status, last_synced_at)
     SELECT (c - 1) / 5 + 1, 1000 + c, 2000 + c, 'XERO', 'ACCOUNTING', 'bench-' || c, 'HEALTHY', '2026-11-01Z'
     FROM generate_series(1, ${COMPANIES}) c`,
    `CREATE TEMP TABLE bench_rows AS
     SELECT i, c, row_number() OVER (PARTITION BY c ORDER BY i) AS n, count(*) OVER (PARTITION BY c) AS total
     FROM (SELECT i, CASE WHEN block * 37 % 100 < ${BIG_SHARE} THEN 1 ELSE block * 7 % ${COMPANIES - 1} + 2 END AS c
           FROM (SELECT i, (i - 1) / ${BLOCK} AS block FROM generate_series(1, ${rows}::bigint) i) blocks) placed`,
    'ANALYZE bench_rows',
  ];
}
