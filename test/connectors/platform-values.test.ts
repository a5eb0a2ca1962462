import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { LosslessNumber } from 'lossless-json';

import { difference, inverseRate, isPositive, product, sum } from '../../src/connectors/values/decimals.js';
import { parsePlatformJson } from '../../src/connectors/values/platform-json.js';
import {
  arrayOf,
  booleanOf,
  currencyCodeOf,
  decimalOf,
  objectOf,
  textOf,
} from '../../src/connectors/values/platform-values.js';

const odd = [null, undefined, true, {}, [], [1], { value: '1' }, Symbol('x'), 1n, () => 1];

/** Plain decimals of as many digits as are stored: 40 before and 20 after the point. */
const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: most }).map((list) => list.join(''));
const decimalText = fc.tuple(fc.boolean(), digits(40), digits(20)).map(([negative, whole, fraction]) => {
  const unsigned = (whole.replace(/^0+/, '') || '0') + (fraction ? `.${fraction}` : '');
  return negative && /[1-9]/.test(unsigned) ? `-${unsigned}` : unsigned;
});

describe('decimalOf', () => {
  test('every decimal text survives', () => {
    fc.assert(fc.property(decimalText, (text) => expect(decimalOf(text)).toBe(text)));
  });

  test('every decimal in JSON keeps its value', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const read = decimalOf(parsePlatformJson(text).value);
        expect(difference(read, text)).toBe('0');
      }),
    );
  });

  test.each([
    [0.1, '0.1'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [-0, '0'],
    [new LosslessNumber('1.5e3'), '1500'],
    [new LosslessNumber('100000000000000000000.10'), '100000000000000000000.10'],
    [' 12.50 ', '12.50'],
    ['+7', '7'],
    ['007.50', '7.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0.00', '0.00'],
    ['1E+2', '100'],
    // What a double leaves of nothing, and more digits than are stored.
    [5.684341886080802e-14, '0.00000000000005684342'],
    [1e-30, '0'],
    [`12.${'0'.repeat(25)}`, '12'],
    [`0.${'0'.repeat(25)}`, '0'],
    [`-0.${'9'.repeat(21)}`, '-1'],
    ['9'.repeat(40), '9'.repeat(40)],
  ])('reads %p as %s', (value, expected) => {
    expect(decimalOf(value)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    'abc',
    '1,000.00',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '--1',
    '1e999999999',
    '9'.repeat(41),
    '9'.repeat(1001),
    '1e40',
  ])('gives null for the text %j', (text) => expect(decimalOf(text)).toBeNull());

  test.each([NaN, Infinity, -Infinity, ...odd])('gives null for %p', (value) => {
    expect(decimalOf(value)).toBeNull();
  });
});

test('currencyCodeOf gives the ISO code of a text in any case, and null for anything else', () => {
  expect(['eur', 'EUR', '', ...odd].map(currencyCodeOf)).toEqual([
    'EUR',
    'EUR',
    ...Array(odd.length + 1).fill(null),
  ]);
});

describe('textOf, booleanOf, arrayOf, objectOf', () => {
  test('give what is of their type', () => {
    const object = { a: 1 };
    const array = [1];
    expect([textOf('x'), booleanOf(false), arrayOf(array), objectOf(object)]).toEqual([
      'x',
      false,
      array,
      object,
    ]);
  });

  test('take empty text for nothing', () => {
    expect(textOf('')).toBeNull();
  });

  test('give null for every other type', () => {
    expect([null, undefined, 1, true, {}, []].map(textOf)).toEqual(Array(6).fill(null));
    expect([null, undefined, 1, 'true', {}, []].map(booleanOf)).toEqual(Array(6).fill(null));
    expect([null, undefined, 1, 'x', {}, { length: 1 }].map(arrayOf)).toEqual(Array(6).fill(null));
    expect([null, undefined, 1, 'x', [], new LosslessNumber('1')].map(objectOf)).toEqual(Array(6).fill(null));
  });
});

describe('arithmetic on decimals', () => {
  test('is exact where doubles are not', () => {
    expect(sum('0.1', '0.2')).toBe('0.3');
    expect(difference('100000000000000000000.01', '0.02')).toBe('99999999999999999999.99');
    expect(product('0.00000000000001', '0.00000001')).toBe('0');
    expect(product('9'.repeat(30), '9'.repeat(30))).toBeNull();
    expect(product('3', '33.33', '0.01')).toBe('0.9999');
  });

  test('adding and taking away again gives the same', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (left, right) => {
        expect(difference(difference(sum(left, right), right), left)).toBe('0');
      }),
    );
  });

  test('is unknown when one operand is', () => {
    expect([sum(null, '1'), difference('1', null), product('1', null)]).toEqual([null, null, null]);
    expect(isPositive(null)).toBe(false);
  });

  test.each([
    ['1', '1'],
    ['1.000000', '1'],
    ['0.5', '2'],
    ['3', '0.333333333333333'],
    ['0.000001', '1000000'],
    ['0', null],
    [null, null],
  ])('turns the rate %s into %s', (rate, expected) => {
    expect(inverseRate(rate)).toBe(expected);
  });
});
