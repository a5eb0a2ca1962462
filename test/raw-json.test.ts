import { describe, expect, test } from '@jest/globals';
import fc from './support/fast-check.js';
import { parseJson } from '../src/raw-json.js';
import { parseDecimal } from '../src/values.js';

describe('parseJson', () => {
  test('reads any JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(withNumbers(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test.each([
    '12345678901234567.89',
    '-0.1234567890123456789',
    '9007199254740993',
    '100000000000000000000000.5',
  ])('keeps the digits of %s, wherever it stands', (digits) => {
    for (const text of [digits, `[${digits}]`, `{"a":${digits}}`, `{"a": [1, ${digits}]}`, `\n${digits}`]) {
      const found: unknown[] = [];
      const walk = (value: unknown): void => {
        if (typeof value !== 'object' || value === null || 'isLosslessNumber' in value) found.push(value);
        else Object.values(value).forEach(walk);
      };
      walk(parseJson(text));
      expect(parseDecimal(found.at(-1), 'x')).toBe(digits);
    }
  });

  test('refuses what is no JSON, and lets the last of two equal names win', () => {
    expect(() => parseJson('{"a": 12345678901234567890,}')).toThrow();
    expect(parseJson('{"a": 12345678901234567890, "a": 1}')).toEqual({ a: 1 });
  });
});

/** Numbers that were kept as they stand, as JavaScript has them. */
function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  if ('isLosslessNumber' in value) return Number((value as unknown as { value: string }).value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNumbers(inner)]));
}
