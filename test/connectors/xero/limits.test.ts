import { expect, test } from '@jest/globals';

import { remainingOf } from '../../../src/connectors/xero/limits.js';

test.each([
  [
    { 'x-minlimit-remaining': '59', 'x-daylimit-remaining': '990' },
    { minute: 59, day: 990 },
  ],
  // Of the app's minute less is left than of the organisation's.
  [
    { 'x-minlimit-remaining': '59', 'x-appminlimit-remaining': '3' },
    { minute: 3, day: null },
  ],
  [
    { 'x-minlimit-remaining': '2', 'x-appminlimit-remaining': '9999' },
    { minute: 2, day: null },
  ],
  [{ 'x-appminlimit-remaining': '0' }, { minute: 0, day: null }],
  [
    { 'x-minlimit-remaining': 'many', 'x-daylimit-remaining': '-1' },
    { minute: null, day: null },
  ],
  [{}, { minute: null, day: null }],
])('of the headers %j Xero leaves %j', (headers, remaining) => {
  expect(remainingOf(headers)).toEqual(remaining);
});
