import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { KeyScope } from './api-keys.js';

/** Throws `forbidden` where the caller's key lacks a scope; `what` completes "this key may not". */
export function requireScope({ principal }: Context, scope: KeyScope, what: string): void {
  if (principal.scopes.has(scope)) return;
  throw new AppError('forbidden', `this key may not ${what}: it lacks the scope ${scope}`);
}

/** Throws `forbidden` where the key is limited to some companies: what is the whole organisation's is not its matter. */
export function requireWholeOrganisation({ sql }: Context, what: string): void {
  if (sql.scope.companyIds === null) return;
  throw new AppError('forbidden', `this key may not ${what}: it is limited to some companies`);
}
