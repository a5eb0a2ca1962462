import { type Classify, type Verdict } from '../answers.js';
import { type PlatformObject } from '../connector.js';
import { arrayOf, objectOf, textOf } from '../platform-values.js';

/** What everybody with a key may ask: who may not has none. `me` is no such thing, it is refused to keys. */
export const OPEN_TO_KEYS = 'globalSettings';

/** The name that what a write makes has in its answer. */
export const CREATED = 'created';

/** Vendure's own word for what is wrong, and its sentence. */
interface Refusal {
  readonly code: string | null;
  readonly words: string;
}

/** Why there is an error in the place of what was to be made; null where there is none. */
export function refusalIn(body: PlatformObject | null): Refusal | null {
  const made = objectOf(objectOf(body?.['data'])?.[CREATED]);
  const code = textOf(made?.['errorCode']);
  return code === null ? null : { code, words: textOf(made?.['message']) ?? code };
}

/** The first error of GraphQL in an answer. */
export function errorIn(body: PlatformObject | null): Refusal | null {
  const [first] = objectsIn(body?.['errors']);
  const words = textOf(first?.['message']);
  return first && words !== null ? { code: codeOf(first), words } : null;
}

/**
 * What Vendure's answers mean: GraphQL says no under HTTP 200. `FORBIDDEN` is said of a key that opens nothing and of
 * one that lacks a right; only the first is also kept from what every query of ours asks before anything else.
 */
export const classifyVendure: Classify = ({ status, body }) => {
  const refused = status === 200 ? refusalIn(body) : null;
  if (refused) return { kind: 'refused', words: refused.words };
  const errors = objectsIn(body?.['errors']);
  const [first] = errors;
  // What was made is there, whatever could not be read of it.
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

const objectsIn = (value: unknown): PlatformObject[] =>
  (arrayOf(value) ?? []).map(objectOf).filter((object) => object !== null);
