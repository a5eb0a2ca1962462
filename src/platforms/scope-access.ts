import type { TenantClient } from '../db/tenant-client.js';
import { AppError, type FieldPath } from '../errors.js';

/** What a company permits of a record type, beside what its platform does. Reference G12, scope_access. */
export interface ScopeAccess {
  readonly read: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

/** As a caller sent it: absent values stay, null resets to true. */
export type SentAccess = { readonly [Operation in keyof ScopeAccess]?: boolean | null | undefined };

interface AccessColumns {
  readonly mayRead: boolean | null;
  readonly mayCreate: boolean | null;
  readonly mayUpdate: boolean | null;
  readonly mayDelete: boolean | null;
}

const COLUMNS = { mayRead: 'read', mayCreate: 'create', mayUpdate: 'update', mayDelete: 'delete' } as const;

/** The columns that a caller's access changes; a null access resets all. */
export function changedColumns(sent: SentAccess | null | undefined): Partial<AccessColumns> {
  if (sent === undefined) return {};
  const columns = Object.entries(COLUMNS).map(([column, operation]) => [
    column,
    sent ? sent[operation] : null,
  ]);
  return Object.fromEntries(columns.filter(([, value]) => value !== undefined)) as Partial<AccessColumns>;
}

/** All is permitted that the company has not withheld. */
export const accessOf = (row: AccessColumns | null | undefined): ScopeAccess => ({
  read: row?.mayRead !== false,
  create: row?.mayCreate !== false,
  update: row?.mayUpdate !== false,
  delete: row?.mayDelete !== false,
});

/** By record type of a category: what a company permits. All, where it is not there. */
export async function readAccess(
  client: TenantClient,
  company: { readonly svcCompanyId: number; readonly category: string },
): Promise<ReadonlyMap<string, ScopeAccess>> {
  const where = { svcCompanyId: BigInt(company.svcCompanyId), category: company.category };
  const rows = await client.syncConfig.findMany({ where });
  return new Map(rows.map((row) => [row.dataModel, accessOf(row)]));
}

/** Throws `operation-denied` if the company withholds the operation from the record type. */
export function requireAccess(
  access: ReadonlyMap<string, ScopeAccess>,
  operation: keyof ScopeAccess,
  dataModel: string,
  field: FieldPath = [],
): void {
  if (access.get(dataModel)?.[operation] ?? true) return;
  const setting = `${operation.toUpperCase()} is false in the scope access of ${dataModel}`;
  throw new AppError(
    'operation-denied',
    `Operation Denied: ${setting}, a sync setting of the company`,
    field,
  );
}
