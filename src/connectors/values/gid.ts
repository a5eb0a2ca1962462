import { type PlatformObject } from '../platform.js';
import { textOf } from './platform-values.js';
import { requiredText, unexpectedAnswer } from './required-values.js';

const GID = /^gid:\/\/[\w-]+\/\w+\/(\d+)$/;

/**
 * The ids of a record from its global id, such as `gid://shopify/Order/4820931`: the number is unique within its kind,
 * the whole id globally. `title` is the platform's.
 */
export function idsOfGid(
  title: string,
  object: PlatformObject,
  name = 'id',
): { platformId: string; platformUniqueId: string } {
  const platformUniqueId = requiredText(title, object, name);
  const platformId = numberOf(platformUniqueId);
  if (platformId === null)
    throw unexpectedAnswer(title, `sent ${platformUniqueId}, which is not a global id`);
  return { platformId, platformUniqueId };
}

/** The number at the end of a global id. */
export function numberOf(gid: unknown): string | null {
  return GID.exec(textOf(gid) ?? '')?.[1] ?? null;
}
