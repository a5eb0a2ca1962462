import { type PlatformObject } from '../../platform.js';
import { idsOfGid } from '../../values/gid.js';
import { SHOP_TITLE } from './client.js';

/** The ids of a record of the shop. */
export const gidOf = (object: PlatformObject, name?: string) => idsOfGid(SHOP_TITLE, object, name);
