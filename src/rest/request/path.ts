import { AppError } from '../../errors.js';

/** A svc_id in a path; null for an invalid one, which is then treated as not found. */
export function pathSvcId(text: string | undefined): number | null {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : null;
}

/** The error for an id in a path that leads to nothing. */
export function absent(what: string): AppError {
  return new AppError('not-found', `there is no such ${what}`, 'id');
}
