import { type Classify } from '../answers.js';
import { type Verdict } from '../platform.js';
import { type RemainingPoints } from '../platform-access.js';
import { type PlatformObject } from '../platform.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../values/platform-values.js';

/** A query that may cost more than Shopify allows a single one. */
export const TOO_COSTLY = 'MAX_COST_EXCEEDED';

/** Faults of Shopify's own. */
const FAULTS: ReadonlySet<unknown> = new Set(['INTERNAL_SERVER_ERROR', 'TIMEOUT']);

/**
 * Classifies Shopify's responses: GraphQL refuses with HTTP 200. An error about a part, such as a field without the
 * scope for it, refuses the whole: what is missing must not be stored as nothing.
 */
export const classifyShopify: Classify = ({ status, body }) => {
  const errors = objectsIn(body?.['errors']);
  const [first] = errors;
  if (status !== 200 || !body) return null;
  // Some refusals are a text instead of a list.
  const words = textOf(body['errors']);
  if (words !== null) return { kind: 'refused', words };
  if (first === undefined) return null;
  const codes = errors.map(codeOf);
  if (codes.includes('THROTTLED')) return { kind: 'throttled', retryAfterMs: waitIn(body) };
  if (codes.some((code) => FAULTS.has(code))) return { kind: 'again', retryAfterMs: null };
  return refusedFor(first);
};

function refusedFor(error: PlatformObject): Verdict {
  const words = textOf(error['message']);
  const code = codeOf(error);
  const said = [words, code === null ? null : `(${code})`].filter((part) => part !== null);
  return said.length === 0 ? { kind: 'refused' } : { kind: 'refused', words: said.join(' ') };
}

const codeOf = (error: PlatformObject): string | null => textOf(objectOf(error['extensions'])?.['code']);

/** The state of the shop's bucket of points after a response. */
export function pointsLeft(body: PlatformObject | null): RemainingPoints | null {
  const state = objectOf(costIn(body)?.['throttleStatus']);
  const left = numberOf(state?.['currentlyAvailable']);
  if (left === null) return null;
  return {
    left,
    capacity: numberOf(state?.['maximumAvailable']),
    perSecond: numberOf(state?.['restoreRate']),
  };
}

/** The points that Shopify demanded for a query, before it knew what was in its answer. */
export const demandedIn = (body: PlatformObject): number | null =>
  numberOf(costIn(body)?.['requestedQueryCost']);

/** How long the bucket takes to hold what a query was refused for. */
function waitIn(body: PlatformObject): number | null {
  const points = pointsLeft(body);
  const demanded = demandedIn(body);
  if (points === null || demanded === null || !points.perSecond) return null;
  return Math.max(0, Math.ceil(((demanded - points.left) / points.perSecond) * 1000));
}

const costIn = (body: PlatformObject | null): PlatformObject | null =>
  objectOf(objectOf(body?.['extensions'])?.['cost']);

const numberOf = (value: unknown): number | null => {
  const text = decimalOf(value);
  return text === null ? null : Number(text);
};
