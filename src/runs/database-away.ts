import { AppError } from '../errors.js';

/** Whether our own database is away: then a job is thrown back, and runs again by itself. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof AppError && ['service-unavailable', 'query-timeout'].includes(error.code);
