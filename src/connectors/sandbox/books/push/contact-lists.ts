import { type PlatformObject } from '../../../platform.js';
import { objectsIn, textOf, textsIn } from '../../../values/platform-values.js';

/** Books keeps lists where items have one value of each kind: the first. The other entries are kept, unless it is cleared. */

interface Numbers {
  readonly telephone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly fax?: string | undefined;
}

/**
 * The partner's numbers with the given ones added or replaced, and without any of a use given as empty, which Books
 * refuses; undefined if none is given.
 */
export function toBooksPhones(
  { telephone, mobile, fax }: Numbers,
  current: PlatformObject | null,
): readonly PlatformObject[] | undefined {
  const given = Object.entries({ landline: telephone, mobile, fax }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (given.length === 0) return undefined;
  return given.reduce<readonly PlatformObject[]>((phones, [Use, Number]) => {
    const isOfUse = (phone: PlatformObject) => textOf(phone['Use']) === Use;
    if (Number.trim() === '') return phones.filter((phone) => !isOfUse(phone));
    const place = phones.findIndex(isOfUse);
    return place < 0 ? [...phones, { Use, Number }] : phones.with(place, { Use, Number });
  }, objectsIn(current?.['Phones']));
}

/**
 * The partner's links with the given one first, in place of the old first, and none if it is empty; undefined if it is not
 * given.
 */
export function toBooksLinks(given: string | undefined, current: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  if (given.trim() === '') return [];
  const [, ...others] = textsIn(current);
  return [given, ...others.filter((link) => link !== given)];
}
