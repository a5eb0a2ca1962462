import { type PlatformObject } from '../../platform.js';
import { requiredText } from '../../values/required-values.js';
import { STRIPE_TITLE } from '../client.js';

/** The platform id of an object. */
export const idOf = (object: PlatformObject): string => requiredText(STRIPE_TITLE, object, 'id');
