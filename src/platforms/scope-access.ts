import type { TenantClient } from '../db/tenant-client.js';
import { AppError, type FieldPath } from '../errors.js';

/**
 * Access that a company permits to a record type, in addition to its platform's permissions. Reference G12,
 * scope_access.
 */
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

/**
 * Access that a write needs. An update that expects a version is compared with the record read from the platform, and
 * may show it: it needs read access, too.
 */
export const accessFor = (
  operation: 'CREATE' | 'UPDATE',
  { isCompared }: { readonly isCompared: boolean },
): readonly (keyof ScopeAccess)[] => {
  if (operation === 'CREATE') return ['create'];
  return isCompared ? ['update', 'read'] : ['update'];
};

/** The first of the operations that is not permitted. */
export const withheldOf = (
  access: ScopeAccess | undefined,
  operations: readonly (keyof ScopeAccess)[],
): keyof ScopeAccess | undefined => operations.find((operation) => access?.[operation] === false);

interface OfCompany {
  readonly svcCompanyId: number;
  readonly category: string;
}

/** Access that a company permits, by record type of a category; an absent record type is fully permitted. */
export async function readAccess(
  client: TenantClient,
  { svcCompanyId, category }: OfCompany,
): Promise<ReadonlyMap<string, ScopeAccess>> {
  const rows = await client.syncConfig.findMany({ where: { svcCompanyId: BigInt(svcCompanyId), category } });
  return new Map(rows.map((row) => [row.dataModel, accessOf(row)]));
}

/** Operations to check on record types of a company. */
interface WantedAccess extends OfCompany {
  readonly operations: readonly (keyof ScopeAccess)[];
  readonly dataModels: readonly string[];
}

/**
 * Throws `operation-denied` if a company withholds one of the operations from one of the record types; `fieldOf` names
 * its place in the request.
 */
export async function requireAccess(
  client: TenantClient,
  { operations, dataModels, ...company }: WantedAccess,
  fieldOf: (index: number) => FieldPath = () => [],
): Promise<void> {
  const access = await readAccess(client, company);
  for (const [index, dataModel] of dataModels.entries()) {
    const withheld = withheldOf(access.get(dataModel), operations);
    if (withheld) throw new WithheldAccess(withheld, dataModel, fieldOf(index));
  }
}

/** `operation-denied`: the company withholds the operation from the record type. */
export class WithheldAccess extends AppError {
  constructor(
    operation: keyof ScopeAccess,
    readonly dataModel: string,
    field: FieldPath = [],
  ) {
    const setting = `${operation.toUpperCase()} is false in the scope access of ${dataModel}`;
    super('operation-denied', `Operation Denied: ${setting}, a sync setting of the company`, field);
  }
}
