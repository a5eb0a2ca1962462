import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from './support/fast-check.js';
import { parseJson } from '../src/base/raw-json.js';
import { parseDecimal } from '../src/base/values.js';

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

  test('reads a body of the largest size with long numbers in a small heap', async () => {
    const script = `
      import { parseJson } from ${JSON.stringify(new URL('../dist/base/raw-json.js', import.meta.url).href)};
      const items = Array.from({ length: 1000 }, () => ({ name: 'n'.repeat(9900), price: 0 }));
      const text = JSON.stringify(items).replaceAll('"price":0', '"price":12345678901234567.89');
      const read = [parseJson(text), parseJson(text)];
      process.stdout.write(read.map((one) => one[999].price.value + one[999].name.length).join());`;
    const flags = ['--max-old-space-size=100', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    expect(stdout).toBe('12345678901234567.899900,12345678901234567.899900');
  });

  test.each([
    '{12345678901234567890: 1}',
    '0123456789012345678',
    '[12345678901234567890 1]',
    '12345678901234567890.',
    '-',
    '[1,12345678901234567890e]',
    '"a" 12345678901234567890',
  ])('refuses %s in words about the text as it came', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
    expect(() => parseJson(text)).not.toThrow(/number [0-9a-f]{8}-/);
  });

  test('keeps a member __proto__ as an ordinary one, a long number, too', () => {
    const found = parseJson('{"__proto__": 12345678901234567890, "a": {"__proto__": 1}}');
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(Object.keys(found as object)).toEqual(['__proto__', 'a']);
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
