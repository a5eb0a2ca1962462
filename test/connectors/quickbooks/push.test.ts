import { describe, expect, test } from '@jest/globals';

import { toWirePath } from '../../../src/base/names.js';
import { type PlatformObject } from '../../../src/connectors/connector.js';
import { type WriteForm, type WriteOperation } from '../../../src/connectors/push.js';
import { quickbooksPushes } from '../../../src/connectors/quickbooks/push/index.js';
import { checkItem } from '../../../src/writes/checks/check-item.js';

function resourceOf(dataModel: string) {
  const found = quickbooksPushes.resources.find(({ definition }) => definition.dataModel === dataModel);
  if (!found) throw new Error(`${dataModel} is not written`);
  return found;
}

function formOf(dataModel: string, operation: WriteOperation): WriteForm {
  const form = operation === 'CREATE' ? resourceOf(dataModel).create : resourceOf(dataModel).update;
  if (!form) throw new Error(`${dataModel} has no ${operation}`);
  return form;
}

function problemOf(dataModel: string, operation: WriteOperation, item: object) {
  const { problem } = checkItem(formOf(dataModel, operation), item, operation);
  return problem && [problem.code, toWirePath(problem.path).join('.'), problem.words];
}

/** The request of an item, where QuickBooks has the object like that. */
function requestOf(
  dataModel: string,
  operation: WriteOperation,
  item: object,
  current: PlatformObject | null = null,
) {
  const form = formOf(dataModel, operation);
  const { value, problem } = checkItem(form, item, operation);
  expect(problem).toBeNull();
  const references = { valueOf: () => null, rawValueOf: () => null };
  return form.toRequest(value ?? {}, { references, marker: 'svc-1', current });
}

const line = { item_id: '4', unit_amount: '10' };
const invoice = { contact_id: 'customer:1', line_items: [line] };
const bill = { contact_id: 'vendor:1', line_items: [{ account_id: '50', unit_amount: '10' }] };
const at = (place: string) => ({ ...line, tracking_category_ids: [place] });

describe('what cannot be written is refused by its field', () => {
  test.each([
    ['INVOICES', 'CREATE', { ...invoice, status: 'DRAFT' }, 'status', /one of SUBMITTED/],
    ['INVOICES', 'CREATE', { ...invoice, contact_id: 'vendor:1' }, 'contact_id', /customer, such as/],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [{ account_id: '1', unit_amount: '1' }] },
      'line_items.0.item_id',
      /sells items/,
    ],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [{ ...line, total_discount: '1' }] },
      'line_items.0.total_discount',
      /lower prices/,
    ],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [at('department:1'), line] },
      'line_items.1.tracking_category_ids',
      /same location/,
    ],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [at('7')] },
      'line_items.0.tracking_category_ids',
      /class:3/,
    ],
    ['INVOICES', 'CREATE', { ...invoice, raw_data: { Id: '5' } }, 'raw_data', /platform_id/],
    ['INVOICES', 'UPDATE', { platform_id: 'salesreceipt:1', memo: 'x' }, 'platform_id', /receipt/],
    ['INVOICES', 'UPDATE', { platform_id: '1', status: 'VOID', memo: 'x' }, 'status', /only change/],
    ['BILLS', 'CREATE', { ...bill, contact_id: 'customer:1' }, 'contact_id', /vendor, such as/],
    ['BILLS', 'UPDATE', { platform_id: '1', status: 'VOID' }, 'status', /one of SUBMITTED/],
    ['CONTACTS', 'UPDATE', { platform_id: '12' }, 'platform_id', /customer:12 or vendor:7/],
    [
      'CONTACTS',
      'UPDATE',
      { platform_id: 'vendor:1', contact_type: 'CUSTOMER' },
      'contact_type',
      /must be VENDOR/,
    ],
    [
      'CONTACTS',
      'CREATE',
      { name: 'A', contact_type: 'VENDOR', addresses: [{ type: 'SHIPPING', city: 'B' }] },
      'addresses.0.type',
      /BILLING/,
    ],
    ['ITEMS', 'CREATE', { name: 'A', type: 'SERVICE' }, 'invoice_item.account_id', /unless/],
    [
      'INVOICE_PAYMENTS',
      'CREATE',
      { invoice_id: '1', amount: '1', credit_note_id: '2' },
      'credit_note_id',
      /applies credit/,
    ],
    [
      'BILL_PAYMENTS',
      'CREATE',
      { bill_id: '1', amount: '1', account_id: '2', payment_mode: 'Cash' },
      'payment_mode',
      /Check or CreditCard/,
    ],
  ] as const)('%s to %s: %j', (dataModel, operation, item, field, words) => {
    const [code, path, said] = problemOf(dataModel, operation, item) ?? [];
    expect(['invalid-params', 'missing-params']).toContain(code);
    expect(path).toBe(field);
    expect(said).toMatch(words);
  });
});

test('what QuickBooks has no room for is named in the warnings', () => {
  const item = { ...bill, line_items: [{ account_id: '50', quantity: '3', unit_amount: '4.5' }] };
  const { warnings } = checkItem(formOf('BILLS', 'CREATE'), item);
  expect(warnings.map(({ words }) => words)).toEqual([expect.stringContaining('here 13.5')]);
});

test('a change names its version in its key, and changes what it names alone', () => {
  const item = { platform_id: 'customer:12', email: 'a@b.example' };
  const { path, query, body } = requestOf('CONTACTS', 'UPDATE', item, { SyncToken: '7' });
  expect([path, query]).toEqual(['/customer', { requestid: 'svc-1-7' }]);
  expect(body).toEqual({
    Id: '12',
    SyncToken: '7',
    sparse: true,
    PrimaryEmailAddr: { Address: 'a@b.example' },
  });
});

test('an invoice is voided by an operation', () => {
  const { query, body } = requestOf(
    'INVOICES',
    'UPDATE',
    { platform_id: '9', status: 'VOID' },
    { SyncToken: '1' },
  );
  expect([query, body]).toEqual([
    { operation: 'void', requestid: 'svc-1-1' },
    { Id: '9', SyncToken: '1', sparse: true },
  ]);
});

describe('a bill', () => {
  const current = {
    Id: '9',
    SyncToken: '1',
    domain: 'QBO',
    TotalAmt: 10,
    Balance: 10,
    VendorRef: { value: '3' },
    PrivateNote: 'kept',
    TxnTaxDetail: { TotalTax: 2 },
    Line: [{ Id: '1', Amount: 10 }],
  };

  test('is replaced by what it was and the change', () => {
    const { body } = requestOf('BILLS', 'UPDATE', { platform_id: '9', due_date: '2026-01-02' }, current);
    const { domain: _domain, TotalAmt: _total, Balance: _balance, ...kept } = current;
    expect(body).toEqual({ ...kept, DueDate: '2026-01-02', sparse: false });
  });

  test('with new lines has its taxes computed anew', () => {
    const item = { platform_id: '9', line_items: bill.line_items };
    const { body } = requestOf('BILLS', 'UPDATE', item, current);
    expect(body).not.toHaveProperty('TxnTaxDetail');
    expect(body).toMatchObject({ PrivateNote: 'kept', VendorRef: { value: '3' } });
  });

  test('that is not known is not replaced', () => {
    const { body } = requestOf('BILLS', 'UPDATE', { platform_id: '9', due_date: '2026-01-02' });
    expect(body).toMatchObject({ sparse: true });
  });
});

describe('a refusal', () => {
  const refusalOf = (Error: readonly object[], status = 400) => {
    const body = { Fault: { Error, type: 'ValidationFault' } };
    return resourceOf('INVOICES').refusal({ status, body, text: JSON.stringify(body) });
  };

  test('of an outdated version is a conflict', () => {
    const stale = {
      Message: 'Stale Object Error',
      Detail: 'Stale Object Error : You and root',
      code: '5010',
    };
    expect(refusalOf([stale])).toMatchObject({
      code: 'conflict',
      platformError: expect.stringContaining('root'),
    });
  });

  test('that may mean anything names no field', () => {
    const Detail = "Something you're trying to use has been made inactive. Check the fields with accounts";
    expect(refusalOf([{ Message: 'Invalid Reference Id', Detail, code: '2500' }])).toMatchObject({
      code: 'platform-denied',
      path: [],
    });
    expect(refusalOf([{ Message: 'Object Not Found', Detail, code: '610' }])).toMatchObject({
      code: 'operation-denied',
      path: [],
    });
  });

  test('with status 200 is the same', () => {
    const Detail = 'Required parameter Line is missing in the request';
    expect(
      refusalOf([{ Message: 'Required param missing', Detail, code: '2020', element: 'Line' }], 200),
    ).toMatchObject({ code: 'missing-params', path: ['lineItems'] });
  });
});
