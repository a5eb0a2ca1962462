import type pg from 'pg';
import { CustomerError } from './customer-error.js';
import { createScope, type Scope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { type AppError } from '../errors.js';
import { hashSecret } from '../secrets/hash-secret.js';

/** An open invite link as its holder sees it, with the choices it offers. */
export interface OpenLink {
  readonly inviteLinkId: string;
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly companyName: string;
  readonly organisationName: string;
  readonly integrations: readonly string[];
  readonly integrationCategories: readonly string[];
  /** Why it no longer works; null while it does. */
  readonly ended: 'expired' | 'revoked' | null;
  /** The link is the permission: it gives access to its company only. */
  readonly scope: Scope;
}

interface LinkRow {
  readonly svc_id: string;
  readonly svc_organisation_id: string;
  readonly svc_company_id: string;
  readonly company_name: string;
  readonly organisation_name: string;
  readonly integrations: readonly string[];
  readonly integration_categories: readonly string[];
  readonly ended: OpenLink['ended'];
}

/** The link with that id, of any organisation: its holder needs no key. */
export async function findLink(pool: pg.Pool, inviteLinkId: string): Promise<OpenLink | null> {
  if (!/^[\w-]{16,128}$/.test(inviteLinkId)) return null;
  const { rows } = await pool.query<LinkRow>('SELECT * FROM svc_find_link($1)', [inviteLinkId]);
  const [row] = rows;
  if (!row) return null;
  const svcCompanyId = Number(row.svc_company_id);
  return {
    inviteLinkId,
    svcId: Number(row.svc_id),
    svcCompanyId,
    companyName: row.company_name,
    organisationName: row.organisation_name,
    integrations: row.integrations,
    integrationCategories: row.integration_categories,
    ended: row.ended,
    scope: createScope(Number(row.svc_organisation_id), [svcCompanyId]),
  };
}

/** The link from which an authorisation was begun; null for an unknown state. */
export async function findLinkOfState(pool: pg.Pool, state: string): Promise<OpenLink | null> {
  const { rows } = await pool.query<{ id: string | null }>('SELECT svc_find_link_of_state($1) AS id', [
    hashSecret(state),
  ]);
  const id = rows[0]?.id ?? null;
  return id === null ? null : findLink(pool, id);
}

/** Throws `not-found` if the link has ended. */
export function refuseEnded({ organisationName, ended }: OpenLink): void {
  if (ended) throw linkEnded(organisationName, ended);
}

const linkEnded = (organisationName: string, ended: NonNullable<OpenLink['ended']>): AppError =>
  new CustomerError(
    'not-found',
    `This link has ${ended === 'expired' ? 'expired' : 'been withdrawn'}. Please ask ${organisationName} for a new one.`,
  );

/**
 * Prevents the link from being revoked before the transaction ends, so that revoking it, or deleting its company, finds
 * everything the transaction stores. Throws `not-found` if it has been revoked.
 */
export async function keepOpen(
  transaction: TenantSql,
  { svcCompanyId, svcId, organisationName }: OpenLink,
): Promise<void> {
  const query = transaction.query();
  const [open] = await transaction.rows(
    query,
    `SELECT t.svc_id FROM invite_links t WHERE ${query.rowsOf(svcCompanyId, 'svc_id', svcId)}
       AND t.revoked_at IS NULL FOR SHARE`,
  );
  if (!open) throw linkEnded(organisationName, 'revoked');
}
