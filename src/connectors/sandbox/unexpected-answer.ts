import { AppError } from '../../errors.js';

/** A response that is valid JSON but not what the platform documents. */
export function unexpectedAnswer(title: string, what: string): AppError {
  return new AppError('platform-answer', `${title} ${what}`);
}
