import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';

import { hashPlatformObject } from '../../src/connectors/values/data-hash.js';
import { parsePlatformJson } from '../../src/connectors/values/platform-json.js';

/** The same JSON value, with the names of its objects in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

test('is that of the canonical form, which must not change: every stored record would look changed', () => {
  const text =
    '{"9":-0,"10":1e21,"b":[1.5,null,{"€":"é\\"\\\\\\n","a":true}],"😀":"x"," ":0.0000001,"__proto__":[]}';
  // Of ` `, `10`, `9`, `__proto__`, `b`, `😀`, in this order.
  expect(hashPlatformObject(JSON.parse(text))).toBe(
    '9b724822c80ce6f087df65b33387b1372bbab579fae1376774a06ae18ea896f3',
  );
});

test('is the same whatever order names have', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashPlatformObject(reversed(value))).toBe(hashPlatformObject(value));
    }),
  );
});

test('is another for another value, down to digits that a double does not hold', () => {
  const texts = [
    '{"a":1}',
    '{"a":"1"}',
    '{"b":1}',
    '{"a":[1]}',
    '{"a":1,"b":null}',
    '{}',
    '[]',
    'null',
    '{"a":0.1}',
  ];
  texts.push(
    '{"a":12345678901234567890.01}',
    '{"a":12345678901234567890.02}',
    '{"a":"12345678901234567890.02"}',
  );
  const hashes = texts.map((text) => hashPlatformObject(parsePlatformJson(text).value));
  expect(new Set(hashes).size).toBe(texts.length);
});
