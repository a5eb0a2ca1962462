import type { Path } from '../errors.js';

/**
 * Names of input in both styles: `accountId` in GraphQL is `account_id` in REST, where write items use those names,
 * too.
 */

export const inSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const inCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** `Account` is `account`. */
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** `accounts` is `Accounts`. */
export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The value of an enum for a field: `svcId` is `SVC_ID`. */
export const inCapitals = (name: string): string => inSnakeCase(name).toUpperCase();

/** A path in REST's names. */
export const toWirePath = (path: Path): Path => renamePath(path, 'rawData', inSnakeCase);

/** A path of REST's names in ours. */
export const fromWirePath = (path: Path): Path => renamePath(path, 'raw_data', inCamelCase);

/** A platform's own fields keep their names: those below `own`, and those that begin with a capital. */
function renamePath(path: Path, own: string, rename: (name: string) => string): Path {
  const place = path.indexOf(own);
  const end = place === -1 ? path.length : place;
  return path.map((part, index) =>
    typeof part === 'number' || index > end || /^[A-Z]/.test(part) ? part : rename(part),
  );
}
