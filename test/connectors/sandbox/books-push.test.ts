import { expect, test } from '@jest/globals';

import { type WriteForm } from '../../../src/connectors/push.js';
import { movementPushes } from '../../../src/connectors/sandbox/books/push/movements.js';
import { toWirePath } from '../../../src/base/names.js';
import { checkItem } from '../../../src/writes/checks/check-item.js';

const movements = movementPushes.find(({ definition }) => definition.dataModel === 'BANK_TRANSACTIONS');

test.each([
  [{}, 'to_account_id', 'It is required: the account that a transfer goes to'],
  [
    { to_account_id: 'till' },
    'from_account_id',
    'It is required: the account that a transfer to account_id comes from',
  ],
])('a transfer on the statement of an account has another end: %j', (ends, field, words) => {
  const item = { type: 'TRANSFER', account_id: 'till', amount: '5', ...ends };
  const { problem } = checkItem(movements?.create as WriteForm, item);
  expect(problem).toMatchObject({ code: 'missing-params', words });
  expect(toWirePath(problem?.path ?? [])).toEqual([field]);
});
