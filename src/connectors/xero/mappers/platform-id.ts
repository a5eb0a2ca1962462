import { type PlatformObject } from '../../platform.js';
import { requiredText } from '../../values/required-values.js';
import { XERO_TITLE } from '../client.js';

/** The id, which a record must have. */
export const platformIdOf = (object: PlatformObject, name: string): string =>
  requiredText(XERO_TITLE, object, name);
