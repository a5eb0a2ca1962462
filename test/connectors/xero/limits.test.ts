import { expect, test } from '@jest/globals';

import { remainingOf } from '../../../src/connectors/xero/limits.js';

test.each([
  [
    { 'x-minlimit-remaining': '59', 'x-daylimit-remaining': '990', 'x-appminlimit-remaining': '9999' },
    { minute: 59, day: 990, appMinute: 9999 },
  ],
  [{ 'x-appminlimit-remaining': '0' }, { minute: null, day: null, appMinute: 0 }],
  [
    { 'x-minlimit-remaining': 'many', 'x-daylimit-remaining': '-1' },
    { minute: null, day: null, appMinute: null },
  ],
  [{}, { minute: null, day: null, appMinute: null }],
])('of the headers %j Xero leaves %j', (headers, remaining) => {
  expect(remainingOf(headers)).toEqual(remaining);
});
