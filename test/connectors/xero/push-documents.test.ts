import { expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/connector.js';
import { objectOf, arrayOf } from '../../../src/connectors/platform-values.js';
import { type WriteForm } from '../../../src/connectors/push.js';
import { documentPushes } from '../../../src/connectors/xero/push/documents.js';
import { checkItem } from '../../../src/writes/check-item.js';

const invoices = documentPushes.find(({ definition }) => definition.dataModel === 'INVOICES');

/** What is sent of an item, where Xero has the object like that. */
function sent(form: WriteForm | null | undefined, item: object, current: PlatformObject | null = null) {
  const { value, problem } = checkItem(form as WriteForm, item);
  expect(problem).toBeNull();
  const none = { references: { get: () => null } as never, marker: 'marker', current };
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

test.each([
  ['DRAFT', 'DELETED'],
  ['SUBMITTED', 'DELETED'],
  ['AUTHORISED', 'VOIDED'],
])('to void what is %s at Xero makes it %s', (Status, sentStatus) => {
  for (const dataModel of ['INVOICES', 'BILLS']) {
    const update = documentPushes.find(({ definition }) => definition.dataModel === dataModel)?.update;
    expect(update?.readsCurrent?.({ status: 'VOID' })).toBe(true);
    expect(sent(update, { platform_id, status: 'void' }, { Status })?.['Status']).toBe(sentStatus);
  }
});

test('no other change asks Xero for the object first', () => {
  expect(invoices?.update?.readsCurrent?.({ status: 'SUBMITTED' })).toBe(false);
  expect(invoices?.update?.readsCurrent?.({ memo: 'Spring' })).toBe(false);
});
