import { type PlatformObject } from '../../platform.js';
import { objectOf, objectsIn } from '../../values/platform-values.js';
import { unexpectedAnswer } from '../../values/required-values.js';
import { STRIPE_TITLE } from '../client.js';
import { idOf } from './id.js';

/** The lines in a list of an object. Throws for one that is cut off. */
export function linesOf(object: PlatformObject, name: string): readonly PlatformObject[] {
  const list = objectOf(object[name]);
  if (list?.['has_more'] === true)
    throw unexpectedAnswer(STRIPE_TITLE, `cut off the lines of ${idOf(object)}`);
  return objectsIn(list?.['data']);
}
