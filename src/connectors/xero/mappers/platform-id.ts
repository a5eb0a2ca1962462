import { type PlatformObject } from '../../connector.js';
import { textOf } from '../../platform-values.js';
import { unexpectedAnswer } from '../answer-error.js';

/** The id, which a record must have. */
export function platformIdOf(object: PlatformObject, name: string): string {
  const id = textOf(object[name]);
  if (id === null) throw unexpectedAnswer(`sent a record without ${name}`);
  return id;
}
