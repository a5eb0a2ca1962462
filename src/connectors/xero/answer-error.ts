import { AppError } from '../../errors.js';
import { XERO_TITLE } from './client.js';

/** An answer that is JSON but not what Xero documents. */
export function unexpectedAnswer(what: string): AppError {
  return new AppError('platform-answer', `${XERO_TITLE} ${what}`);
}
