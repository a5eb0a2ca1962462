import { type PlatformObject } from '../../../platform.js';
import { requiredText } from '../../../values/required-values.js';
import { PAY_TITLE } from '../client.js';

/** The platform id of an object. */
export function idOf(object: PlatformObject): string {
  return requiredText(PAY_TITLE, object, 'id');
}
