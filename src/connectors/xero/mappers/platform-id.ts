import { type PlatformObject } from '../../connector.js';
import { textOf } from '../../platform-values.js';
import { unexpectedAnswer } from '../answer-error.js';

/** The one thing that a record cannot do without. */
export function platformIdOf(object: PlatformObject, name: string): string {
  const id = textOf(object[name]);
  if (id === null) throw unexpectedAnswer(`sent a record without ${name}`);
  return id;
}
