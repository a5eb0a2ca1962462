import { AppError } from '../../errors.js';

/** An answer that is JSON but not what the platform documents. */
export function unexpectedAnswer(title: string, what: string): AppError {
  return new AppError('platform-answer', `${title} ${what}`);
}
