import { type PlatformObject } from '../../../platform.js';
import { objectOf, textOf } from '../../../values/platform-values.js';
import { requiredText } from '../../../values/required-values.js';
import { BOOKS_TITLE } from '../client.js';

/** The platform id of an object. */
export function guidOf(object: PlatformObject, name = 'Guid'): string {
  return requiredText(BOOKS_TITLE, object, name);
}

/** The customer or supplier of `{ "Partner": { "Guid": ... } }`. */
export function partnerOf(object: PlatformObject): string | null {
  return textOf(objectOf(object['Partner'])?.['Guid']);
}
