import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';

import { calendarDayOf, timestampOf } from '../../../src/connectors/xero/dates.js';

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const offsets = fc.constantFrom('', '+0000', '+1300', '-0800');

describe('timestampOf', () => {
  test('every instant survives, whatever the offset', () => {
    fc.assert(
      fc.property(instants, offsets, (instant, offset) => {
        const iso = instant.toISOString();
        expect(timestampOf(`/Date(${instant.getTime()}${offset})/`)).toBe(iso);
        expect(timestampOf(iso)).toBe(iso);
        expect(timestampOf(iso.slice(0, -1))).toBe(iso);
      }),
    );
  });

  test.each([
    ['/Date(1552595972920+0000)/', '2019-03-14T20:39:32.920Z'],
    ['/Date(1552595972920+1300)/', '2019-03-14T20:39:32.920Z'],
    ['/Date(-86400000)/', '1969-12-31T00:00:00.000Z'],
    ['2019-03-14T00:00:00', '2019-03-14T00:00:00.000Z'],
    ['2019-03-14T10:00:00+02:00', '2019-03-14T08:00:00.000Z'],
    ['2019-03-14T10:00:00.1234567Z', '2019-03-14T10:00:00.123Z'],
    ['2019-03-14', '2019-03-14T00:00:00.000Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(timestampOf(text)).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    '/Date()/',
    '/Date(abc)/',
    '/Date(9999999999999999)/',
    '2019-02-30T00:00:00',
    '2019-13-01',
    '2019-03-14T25:00:00',
    '14/03/2019',
    1552595972920,
    null,
    undefined,
    {},
    new Date(),
  ])('gives null for %p', (value) => {
    expect(timestampOf(value)).toBeNull();
  });
});

describe('calendarDayOf', () => {
  test('prefers the day in text', () => {
    expect(calendarDayOf('2019-03-14T00:00:00', '/Date(1552435200000+0000)/')).toBe('2019-03-14');
  });

  test('takes the day of midnight UTC without it', () => {
    expect(calendarDayOf(undefined, '/Date(1552521600000+1300)/')).toBe('2019-03-14');
  });

  test.each([
    ['/Date(1552474800000+1300)/', '2019-03-14'],
    ['/Date(1552501800000+0530)/', '2019-03-14'],
    ['/Date(1552550400000-0800)/', '2019-03-14'],
    ['/Date(1552521600000-0800)/', '2019-03-14'],
    ['/Date(-46800000+1300)/', '1970-01-01'],
    ['/Date(1551822670731)/', '2019-03-05'],
    ['/Date(253402167600000+1300)/', '9999-12-31'],
  ])('takes the day whose midnight %s is, where it stands', (date, expected) => {
    expect(calendarDayOf(undefined, date)).toBe(expected);
  });

  test('never shifts a day as written', () => {
    expect(calendarDayOf('2019-03-14T23:30:00-11:00', null)).toBe('2019-03-14');
    expect(calendarDayOf(null, '2019-03-14T01:00:00+13:00')).toBe('2019-03-14');
  });

  test('gives null for what is no day', () => {
    expect([calendarDayOf(12, {}), calendarDayOf('2019-02-30', ''), calendarDayOf(null, null)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
