import { AppError } from '../../errors.js';

/** The svc_id in a path of what `what` names; an invalid one leads to nothing. */
export function pathSvcId(text: string | undefined, what: string): number {
  if (/^\d{1,15}$/.test(text ?? '')) return Number(text);
  throw absent(what);
}

/** The error for an id in a path that leads to nothing. */
export function absent(what: string): AppError {
  return new AppError('not-found', `there is no such ${what}`, 'id');
}
