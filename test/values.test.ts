import { describe, expect, test } from '@jest/globals';
import fc from './support/fast-check.js';
import { LosslessNumber } from 'lossless-json';
import { isoTimestamp } from '../src/db/rows/read-types.js';
import {
  parseBoolean,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseSvcId,
  parseText,
} from '../src/base/values.js';

const decimal = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.stringMatching(/^\d{1,40}$/),
    fc.option(fc.stringMatching(/^\d{1,20}$/)),
  )
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);

describe('a decimal', () => {
  test('keeps every digit, whatever its size', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const [, sign, whole = '', fraction] = /^([+-]?)0*(?=\d)(\d+)(\.\d+)?$/.exec(text) ?? [];
        expect(parseDecimal(text, 'amount')).toBe(`${sign === '-' ? '-' : ''}${whole}${fraction ?? ''}`);
      }),
    );
  });

  test('may be a JSON number', () => {
    expect(parseDecimal(12.5, 'amount')).toBe('12.5');
    expect(parseDecimal(0, 'amount')).toBe('0');
  });

  test.each([
    [0.0000005, '0.0000005'],
    [-1.5e-7, '-0.00000015'],
    ['5e-7', '0.0000005'],
    ['12.50e1', '125.0'],
    ['1.5E3', '1500'],
    ['-2e+2', '-200'],
    ['0.00e2', '0'],
    [1e21, '1000000000000000000000'],
    [new LosslessNumber('0.00000012345678901234'), '0.00000012345678901234'],
  ])('with an exponent, %p, is written out', (value, text) => {
    expect(parseDecimal(value, 'amount')).toBe(text);
  });

  test.each([
    ['1e400'],
    ['1e41'],
    ['1e-21'],
    [1e300],
    [new LosslessNumber('1e400')],
    ['1'.repeat(41)],
    [`-${'1'.repeat(61)}`],
    [`0.${'1'.repeat(21)}`],
  ])('that is longer than any is, %p, is refused for that', (value) => {
    expect(() => parseDecimal(value, 'amount')).toThrow(
      'amount must be a decimal of at most 40 digits before and 20 after the point',
    );
  });

  test.each([['1e'], ['e5'], ['NaN'], ['Infinity'], [''], ['1,000'], ['12.'], ['.5'], [NaN], [null], [{}]])(
    'is refused as %p, naming the field',
    (value) => {
      expect(() => parseDecimal(value, 'amount')).toThrow('amount must be a decimal such as 12.50');
    },
  );
});

describe('a date-time', () => {
  test('any instant of the years 1 to 9999 comes back as itself', () => {
    const instant = fc.date({
      min: new Date('0001-01-02T00:00:00.000Z'),
      max: new Date('9999-12-30T00:00:00.000Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (date) =>
        expect(parseDateTime(date.toISOString(), 'at')).toBe(date.toISOString()),
      ),
    );
  });

  test('takes other offsets, a space, and a date alone', () => {
    expect(parseDateTime('2026-11-21T10:30:00+02:00', 'at')).toBe('2026-11-21T08:30:00.000Z');
    expect(parseDateTime('2026-11-21 10:30', 'at')).toBe('2026-11-21T10:30:00.000Z');
    expect(parseDateTime('2026-11-21', 'at')).toBe('2026-11-21T00:00:00.000Z');
    expect(parseDateTime('2026-11-21T10:30:00.123456Z', 'at')).toBe('2026-11-21T10:30:00.123Z');
  });

  test.each([
    ['+275760-09-13T00:00:00.000Z'],
    ['2026-02-30'],
    ['0000-01-01'],
    ['yesterday'],
    ['infinity'],
    [5],
    [null],
  ])('is refused as %p', (value) => {
    expect(() => parseDateTime(value, 'at')).toThrow('at must be an ISO 8601 date-time');
  });
});

test.each(['2026-11-21T10:30:00 02:00', '2026-11-21T10:30 0200', '2026-11-21 10:30:00.5 02:00'])(
  'a time whose + a URL has made a space, %p, is refused for that',
  (value) => {
    const space = ': before its offset is a space, as of a + in a URL that is not written %2B';
    expect(() => parseDateTime(value, 'at')).toThrow(`10:30:00.000Z${space}`);
    expect(() => parseDate(value, 'at')).toThrow(`2026-11-21${space}`);
  },
);

describe('a calendar day', () => {
  test('is kept as written, never shifted by an offset', () => {
    expect(parseDate('2026-11-21T23:30:00-11:00', 'day')).toBe('2026-11-21');
    expect(parseDate('2026-11-21', 'day')).toBe('2026-11-21');
    expect(parseDate('9999-12-31T24:00:00-11:00', 'day')).toBe('9999-12-31');
  });

  test.each([
    ['2026-13-01'],
    ['2026-11-31'],
    ['21/11/2026'],
    [20261121],
    ['2026-11-21T24:30:00Z'],
    ['2026-11-21T12:00:00+25:00'],
    ['2026-11-21T23:59:60Z'],
  ])('is refused as %p', (value) => {
    expect(() => parseDate(value, 'day')).toThrow('day must be a date such as 2026-11-21');
  });
});

describe('a timestamp of PostgreSQL', () => {
  test('becomes ISO 8601 with milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), (milliseconds) => {
        const fraction = String(milliseconds).padStart(3, '0').replace(/0+$/, '');
        const shown = `2026-11-21 10:50:30${fraction ? `.${fraction}` : ''}+00`;
        expect(isoTimestamp(shown)).toBe(`2026-11-21T10:50:30.${String(milliseconds).padStart(3, '0')}Z`);
      }),
    );
  });
});

describe('other values', () => {
  test('a svc_id is a whole number below 2^53', () => {
    expect(parseSvcId('42', 'id')).toBe(42);
    expect(parseSvcId(9007199254740991, 'id')).toBe(9007199254740991);
    for (const value of ['9007199254740992', -1, 1.5, '1e3', '', null, '99999999999999999999']) {
      expect(() => parseSvcId(value, 'id')).toThrow('id must be a whole number');
    }
  });

  test('a text holds neither NUL nor half a surrogate pair', () => {
    expect(parseText('naïve 😀', 'name')).toBe('naïve 😀');
    expect(() => parseText('a\0b', 'name')).toThrow('name must not hold a NUL character');
    expect(() => parseText('a\ud800', 'name')).toThrow('name must not hold half a surrogate pair');
  });

  test('a boolean is true or false, as text in any case', () => {
    expect(parseBoolean('true', 'flag')).toBe(true);
    expect(parseBoolean(false, 'flag')).toBe(false);
    expect(parseBoolean('True', 'flag')).toBe(true);
    expect(parseBoolean('FALSE', 'flag')).toBe(false);
    expect(() => parseBoolean(1, 'flag')).toThrow('flag must be true or false');
    expect(() => parseBoolean('yes', 'flag')).toThrow('flag must be true or false');
  });
});
