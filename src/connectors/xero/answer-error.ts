import { AppError } from '../../errors.js';
import { XERO_TITLE } from './client.js';

/** A response that is valid JSON but not what Xero documents. */
export function unexpectedAnswer(what: string): AppError {
  return new AppError('platform-answer', `${XERO_TITLE} ${what}`);
}
