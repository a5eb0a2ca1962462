import fc from '../support/fast-check.js';
import type { Field } from '../../src/records/fields.js';

/** Values that have broken services before, and plain ones among them. */
export const NASTY: readonly unknown[] = [
  null,
  true,
  '',
  'null',
  '0',
  -1,
  0,
  1.5,
  1e400,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  '9007199254740993',
  '99999999999999999999',
  'a\0b',
  '\ud800',
  '\udc00x',
  '😀',
  '\u202e',
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '%',
  '\\',
  '${x}',
  '275760-09-13',
  '0000-01-01',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '0001-01-01T00:00:00+14:00',
  'infinity',
  'NaN',
  '1e5',
  '1'.repeat(41),
  'x'.repeat(1500),
  [],
  {},
  [[]],
  [null],
  { eq: 1 },
  { ne: { ne: 1 } },
  Infinity,
];

export const nasty = fc.constantFrom(...NASTY);

/** A value that fits a field. */
export function fitting(field: Field): fc.Arbitrary<string | number | boolean> {
  switch (field.kind) {
    case 'text':
      return field.values
        ? fc.constantFrom(...field.values)
        : fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
    case 'textList':
    case 'json':
    case 'version':
      return fc.constant('one');
    case 'decimalNumber':
    case 'decimalText':
      return fc.constantFrom('0', '-12.50', '12345678901234567.89', '0.0000001');
    case 'timestamp':
      return fc.constantFrom('2026-01-02', '2026-01-02T03:04:05Z', '9999-12-31T00:00:00Z', '0001-01-01');
    case 'date':
      return fc.constantFrom('2026-01-02', '9999-12-31', '0001-01-01');
    case 'boolean':
      return fc.boolean();
    case 'svcId':
      return fc.integer({ min: 0, max: 50 });
    default:
      return field.kind satisfies never;
  }
}

/** Mostly the one, sometimes the other. */
export function mostly<Value>(good: fc.Arbitrary<Value>, bad: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: bad });
}

/** What is generated for any one of the items. */
export function oneOfAll<Item, Value>(
  items: readonly Item[],
  generate: (item: Item) => fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fc.oneof(...items.map(generate));
}
