declare const scoped: unique symbol;

/**
 * The rows a caller may touch: one organisation and, for keys limited to some companies, a list of them. No statement
 * on a tenant table runs without a scope, and only the functions below create one.
 */
export interface Scope {
  readonly organisationId: number;
  /** Null: every company of the organisation. */
  readonly companyIds: readonly number[] | null;
  /** Key for sharing the organisation's connections; null: work without an API key. */
  readonly keyId: string | null;
  /** Change log position that a standby must have reached to be read; null: the primary is read. */
  readonly position: number | null;
  readonly [scoped]: true;
}

/** Throws on anything that is not a whole positive id: a scope must never be empty by accident. */
export function createScope(
  organisationId: number,
  companyIds: readonly number[] | null,
  keyId: string | null = null,
): Scope {
  for (const id of [organisationId, ...(companyIds ?? [])]) {
    if (!Number.isSafeInteger(id) || id < 1) throw new Error(`a scope needs svc_ids, got ${String(id)}`);
  }
  if (companyIds?.length === 0) throw new Error('a scope limited to no company at all is a mistake');
  return { organisationId, companyIds, keyId, position: null } as Scope;
}

/** The same scope, for reads at a standby that has the organisation's changes up to a position. */
export const atPosition = (scope: Scope, position: number): Scope => ({ ...scope, position });

/** The scope of a whole organisation, for work without an API key. */
export function organisationScope(organisationId: number): Scope {
  return createScope(organisationId, null);
}
