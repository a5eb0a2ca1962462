import type { ByteRange } from '../../files/file-store.js';

const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/;

/**
 * The part that a `Range` header requests (RFC 9110, 14). Null for the whole file, also for several ranges, other units
 * and invalid headers. `unsatisfiable` if none of it exists.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = RANGE.exec(header ?? '');
  if (!match) return null;
  const [, from, to, suffix] = match;
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), size);
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === undefined ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== undefined && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}
