import type { TenantSql } from '../db/tenant-sql.js';

/** Owner of a ledger, which is the accounts and journal entries of one connection. */
interface LedgerOwner {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  /** Currency of its books; entries in another one need their rate. */
  readonly currencyCode: string | null;
}

/** The movement of an account in a period. Amounts are in the base currency: debits minus credits. */
export interface LedgerRow extends Omit<LedgerOwner, 'currencyCode'> {
  /** The period: 0 is before the first start, and for entries without a day. */
  readonly bucket: number;
  readonly accountId: string;
  readonly name: string | null;
  readonly nominalCode: string | null;
  readonly category: string | null;
  readonly subCategory: string | null;
  readonly net: string;
  /** The part of `net` from entries with a bank account. */
  readonly withCash: string;
  /** One of its entries has no day, a line without an amount, or debits that do not equal its credits. */
  readonly isBroken: boolean;
  /** When the latest of its entries was stored. */
  readonly storedAt: string;
  readonly updatedAt: string | null;
}

interface LedgerPeriod {
  /** First days of the periods, ascending. */
  readonly starts: readonly string[];
  /** The last day of the last one. */
  readonly end: string;
}

/** A debit minus a credit in the base currency. */
const AMOUNT = `(CASE l.type WHEN 'DEBIT' THEN l.net_amount WHEN 'CREDIT' THEN -l.net_amount END)
  * coalesce(e.currency_rate, 1)`;

/** The movements of each account in each period, for some connections. One statement. */
export async function readLedger(
  sql: TenantSql,
  owners: readonly LedgerOwner[],
  { starts, end }: LedgerPeriod,
): Promise<LedgerRow[]> {
  const query = sql.query();
  const companies = query.bind(owners.map(({ svcCompanyId }) => svcCompanyId));
  const connections = query.bind(owners.map(({ connectionId }) => connectionId));
  const bases = query.bind(owners.map(({ currencyCode }) => currencyCode));
  const bucket = `coalesce(width_bucket(e.posted_date, ${query.bind([...starts])}::date[]), 0)`;
  return sql.rows<LedgerRow>(
    query,
    `WITH moved AS (
       SELECT e.svc_company_id, e.connection_id, l.account_id, ${bucket} AS bucket, ${AMOUNT} AS amount,
         bool_or(a.category = 'BANK') OVER entry AS with_cash,
         bool_or(e.posted_date IS NULL OR ${AMOUNT} IS NULL OR (e.currency_rate IS NULL AND e.currency_code <> k.base)) OVER entry
           OR sum(${AMOUNT}) OVER entry <> 0 AS is_broken,
         a.name, a.nominal_code, a.category, a.sub_category, e.svc_updated_at, e.updated_at
       FROM unnest(${companies}::bigint[], ${connections}::bigint[], ${bases}::text[]) AS k (company, connection, base)
       JOIN journal_entries e ON e.svc_company_id = k.company AND e.connection_id = k.connection
       JOIN journal_lines l ON l.svc_company_id = e.svc_company_id AND l.parent_svc_id = e.svc_id
       LEFT JOIN accounts a ON a.svc_company_id = e.svc_company_id AND a.connection_id = e.connection_id
         AND a.platform_id = l.account_id AND ${query.filtered('a')}
       WHERE ${query.filtered('e')} AND ${query.filtered('l')}
         AND e.svc_deleted_at IS NULL AND coalesce(e.status, 'POSTED') = 'POSTED'
         AND (e.posted_date IS NULL OR e.posted_date <= ${query.bind(end)}::date)
       WINDOW entry AS (PARTITION BY e.svc_company_id, e.svc_id)
     )
     SELECT svc_company_id AS "svcCompanyId", connection_id AS "connectionId", bucket,
       coalesce(account_id, '') AS "accountId", name, nominal_code AS "nominalCode", category,
       sub_category AS "subCategory", coalesce(sum(amount), 0) AS net,
       coalesce(sum(amount) FILTER (WHERE with_cash), 0) AS "withCash",
       coalesce(bool_or(is_broken), false) AS "isBroken", max(svc_updated_at) AS "storedAt",
       max(updated_at) AS "updatedAt"
     FROM moved
     GROUP BY svc_company_id, connection_id, bucket, account_id, name, nominal_code, category, sub_category
     ORDER BY 1, 2, nominal_code, account_id, bucket`,
  );
}
