/** Cost of coercing an object relative to a plain value: every field of its type is checked, given or not. */
const OBJECT_WEIGHT = 100;

export function tooManyValues(max: number): string {
  return `may hold at most ${max} values, an object counted as 100`;
}

/** Whether a JSON value holds more than `most` values, an object counted as 100 of them; stops counting there. */
export function hasMoreValues(value: unknown, max: number): boolean {
  let values = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && values <= max) {
    const one = waiting.pop();
    if (typeof one !== 'object' || one === null) continue;
    const inner: unknown[] = Object.values(one);
    values += inner.length + (Array.isArray(one) ? 0 : OBJECT_WEIGHT);
    for (const next of inner) if (typeof next === 'object') waiting.push(next);
  }
  return values > max;
}
