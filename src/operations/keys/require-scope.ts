import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { KeyScope } from './api-keys.js';

/** Throws `forbidden` if the caller's key lacks a scope; `what` completes "this key may not". */
export function requireScope({ principal }: Context, scope: KeyScope, what: string): void {
  if (principal.scopes.has(scope)) return;
  throw lacksScope(scope, what);
}

export const lacksScope = (scope: KeyScope, what: string): AppError =>
  new AppError('forbidden', `this key may not ${what}: it lacks the scope ${scope}`);

/** Throws `forbidden` if the key is limited to companies: it may not touch what belongs to the whole organisation. */
export function requireWholeOrganisation(context: Context, what: string): void {
  if (isForWholeOrganisation(context)) return;
  throw new AppError('forbidden', `this key may not ${what}: it is limited to some companies`);
}

/** Whether the key has all companies: then it may see the secrets of the whole organisation. */
export const isForWholeOrganisation = ({ sql }: Context): boolean => sql.scope.companyIds === null;
