import { type PlatformObject } from '../../connector.js';
import { textOf } from '../../values/platform-values.js';
import { requiredText, unexpectedAnswer } from '../../values/required-values.js';
import { SHOP_TITLE } from './client.js';

const GID = /^gid:\/\/[\w-]+\/\w+\/(\d+)$/;

/** `gid://sandbox-shop/Order/4820931`: the number is unique within its kind, the whole id globally. */
export function gidOf(object: PlatformObject, name = 'id'): { platformId: string; platformUniqueId: string } {
  const platformUniqueId = requiredText(SHOP_TITLE, object, name);
  const platformId = numberOf(platformUniqueId);
  if (platformId === null)
    throw unexpectedAnswer(SHOP_TITLE, `sent ${platformUniqueId}, which is not a global id`);
  return { platformId, platformUniqueId };
}

/** The number at the end of a global id. */
export function numberOf(gid: unknown): string | null {
  return GID.exec(textOf(gid) ?? '')?.[1] ?? null;
}
