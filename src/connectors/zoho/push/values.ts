import { z } from 'zod';

import { rawData } from '../../inputs/fields.js';
import { type Kept } from '../../inputs/rounded.js';
import { type PlatformObject } from '../../platform.js';
import { textOf } from '../../values/platform-values.js';
import { ZOHO_TITLE } from '../client.js';

/** Amounts have at most as many digits as any currency has. */
export const MONEY: Kept = { title: ZOHO_TITLE, digits: 3 };

/** What an object has of these fields, without what is empty. */
export const keptOf = (object: PlatformObject, names: readonly string[]): PlatformObject =>
  Object.fromEntries(
    names
      .map((name) => [name, object[name]] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );

/** Zoho's own fields, passed on unchanged. */
export const ownFields = (...taken: readonly string[]) => {
  const own = ['organization_id', ...taken];
  return rawData().refine(
    (fields) => !own.some((name) => name in fields),
    `must not have ${own.join(' or ')}: the service sets that itself`,
  );
};

/** An id as it is in a path. */
export const inPath = (id: unknown): string => encodeURIComponent(textOf(id) ?? '');

/** A field of ours that is not written, with the reason. */
export const unsent = (words: string) => z.unknown().refine(() => false, `must not be sent: ${words}`);
