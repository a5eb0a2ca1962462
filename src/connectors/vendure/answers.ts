import { type Classify } from '../answers.js';
import { type Verdict } from '../platform.js';
import { type PlatformObject } from '../platform.js';
import { arrayOf, objectOf, objectsIn, textOf } from '../values/platform-values.js';

/** A field that every valid key may query, so a refusal means an invalid key. `me` does not work: it is refused to keys. */
export const OPEN_TO_KEYS = 'globalSettings';

/** Alias of the created object in the response to a write. */
export const CREATED = 'created';

/** Vendure's error code and message. */
interface Refusal {
  readonly code: string | null;
  readonly words: string;
}

/** The error result in place of the created object; null if there is none. */
export function refusalIn(body: PlatformObject | null): Refusal | null {
  const made = objectOf(objectOf(body?.['data'])?.[CREATED]);
  const code = textOf(made?.['errorCode']);
  return code === null ? null : { code, words: textOf(made?.['message']) ?? code };
}

/** The first GraphQL error in a response. */
export function errorIn(body: PlatformObject | null): Refusal | null {
  const [first] = objectsIn(body?.['errors']);
  const words = textOf(first?.['message']);
  return first && words !== null ? { code: codeOf(first), words } : null;
}

/**
 * Classifies Vendure's responses: GraphQL refuses with HTTP 200. `FORBIDDEN` may mean an invalid key or a missing
 * permission; only with an invalid key is the field that all our queries start with refused too.
 */
export const classifyVendure: Classify = ({ status, body }) => {
  const refused = status === 200 ? refusalIn(body) : null;
  if (refused) return { kind: 'refused', words: refused.words };
  const errors = objectsIn(body?.['errors']);
  const [first] = errors;
  // The object was created, even if parts of it could not be read.
  if (status !== 200 || first === undefined || isMade(body)) return null;
  if (errors.some(isUnknownCaller)) return { kind: 'access ended', isToken: true };
  const ownFault = errors.some((error) => codeOf(error) === 'INTERNAL_SERVER_ERROR');
  return ownFault ? { kind: 'again', retryAfterMs: null } : refusedFor(first);
};

const isMade = (body: PlatformObject | null): boolean =>
  textOf(objectOf(objectOf(body?.['data'])?.[CREATED])?.['id']) !== null;

const isUnknownCaller = (error: PlatformObject): boolean =>
  codeOf(error) === 'UNAUTHORIZED' ||
  (codeOf(error) === 'FORBIDDEN' && arrayOf(error['path'])?.[0] === OPEN_TO_KEYS);

function refusedFor(error: PlatformObject): Verdict {
  const words = textOf(error['message']);
  const place = arrayOf(error['path'])?.filter((part) => typeof part === 'string');
  if (words === null) return { kind: 'refused' };
  return { kind: 'refused', words: place?.length ? `${words} (${place.join('.')})` : words };
}

const codeOf = (error: PlatformObject): string | null => textOf(objectOf(error['extensions'])?.['code']);
