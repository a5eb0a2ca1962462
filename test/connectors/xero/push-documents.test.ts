import { expect, test } from '@jest/globals';

import { objectOf, arrayOf } from '../../../src/connectors/platform-values.js';
import { type WriteForm } from '../../../src/connectors/push.js';
import { documentPushes } from '../../../src/connectors/xero/push/documents.js';
import { checkItem } from '../../../src/writes/check-item.js';

const invoices = documentPushes.find(({ definition }) => definition.dataModel === 'INVOICES');

/** What is sent of an item. */
function sent(form: WriteForm | null | undefined, item: object) {
  const { value, problem } = checkItem(form as WriteForm, item);
  expect(problem).toBeNull();
  const none = { references: { get: () => null } as never, marker: 'marker', current: null };
  const { body } = (form as WriteForm).toRequest(value ?? {}, none);
  return objectOf(arrayOf(body?.['Invoices'])?.[0]);
}

const platform_id = 'a0a0a0a0-0000-4000-8000-000000000001';
const line_items = [{ description: 'Consulting', quantity: '1', unit_amount: '100' }];

test('prices are sent as being before tax, whatever those at Xero were', () => {
  expect(sent(invoices?.update, { platform_id, line_items })?.['LineAmountTypes']).toBe('Exclusive');
  expect(sent(invoices?.create, { contact_id: platform_id, line_items })?.['LineAmountTypes']).toBe(
    'Exclusive',
  );
});

test('prices are what the caller says in raw_data', () => {
  const raw_data = { LineAmountTypes: 'Inclusive' };
  expect(sent(invoices?.update, { platform_id, line_items, raw_data })?.['LineAmountTypes']).toBe(
    'Inclusive',
  );
});

test('a change that names no lines says nothing of their prices', () => {
  expect(sent(invoices?.update, { platform_id, memo: 'Spring' })).not.toHaveProperty('LineAmountTypes');
});
