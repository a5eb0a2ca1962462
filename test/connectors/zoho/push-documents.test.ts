import { describe, expect, test } from '@jest/globals';

import { toWirePath } from '../../../src/base/names.js';
import { type PushResource, type References } from '../../../src/connectors/push.js';
import { zohoPushes } from '../../../src/connectors/zoho/push/index.js';
import { checkItem } from '../../../src/writes/checks/check-item.js';
import { answering } from '../sandbox/answering.js';
import { bodyOf, formOf, problemOf, requestOf, resourceOf } from './pushing.js';

const line = { item_id: '4', unit_amount: '10' };
const spent = { account_id: '5', unit_amount: '10' };
const invoice = { contact_id: '1', line_items: [line] };
const bill = { contact_id: '2', document_number: 'B-1', line_items: [spent] };
const credit = { contact_id: '1', document_number: 'C-1', posted_date: '2026-03-02', line_items: [spent] };
const receipt = { invoice_id: '7', amount: '5', payment_date: '2026-03-02', payment_mode: 'cash' };
const account = { name: 'Odd jobs', category: 'INCOME' };

describe('what cannot be written is refused by its field', () => {
  test.each([
    ['INVOICES', 'CREATE', { ...invoice, status: 'VOID' }, 'status', /DRAFT, SUBMITTED/],
    ['INVOICES', 'CREATE', { ...invoice, raw_data: { reference_number: 'PO 7' } }, 'raw_data', /reference/],
    ['INVOICES', 'CREATE', { ...invoice, raw_data: { line_items: [] } }, 'raw_data', /line_items/],
    ['INVOICES', 'CREATE', { ...invoice, raw_data: { organization_id: '1' } }, 'raw_data', /organization/],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [line, { ...line, tracking_category_ids: ['9'] }] },
      'line_items.1.tracking_category_ids',
      /tags are not read/,
    ],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [{ ...line, quantity: '0' }] },
      'line_items.0.quantity',
      /above 0/,
    ],
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [{ ...line, total_discount: '-1' }] },
      'line_items.0.total_discount',
      /negative/,
    ],
    ['INVOICES', 'UPDATE', { platform_id: '1', status: 'VOID', memo: 'x' }, 'status', /only change/],
    ['INVOICES', 'UPDATE', { platform_id: '1', status: 'DRAFT' }, 'status', /SUBMITTED, VOID/],
    ['INVOICES', 'UPDATE', { platform_id: '1', raw_data: { reference_number: '' } }, 'raw_data', /reference/],
    ['BILLS', 'CREATE', { ...bill, status: 'DRAFT' }, 'status', /SUBMITTED/],
    [
      'BILLS',
      'CREATE',
      { ...bill, line_items: [{ ...spent, total_discount: '1' }] },
      'line_items.0.total_discount',
      /only lines of invoices/,
    ],
    ['BILLS', 'UPDATE', { platform_id: '1', status: 'SUBMITTED' }, 'status', /one of VOID/],
    ['BILL_CREDIT_NOTES', 'CREATE', { ...bill, status: 'DRAFT' }, 'status', /SUBMITTED/],
    ['INVOICE_PAYMENTS', 'CREATE', { ...receipt, currency_id: '1' }, 'currency_id', /of the contact/],
    ['INVOICE_PAYMENTS', 'CREATE', { ...receipt, document_number: '1' }, 'document_number', /itself/],
    [
      'INVOICE_PAYMENTS',
      'CREATE',
      { ...receipt, credit_note_id: '1' },
      'credit_note_id',
      /without a payment/,
    ],
    ['INVOICE_PAYMENTS', 'CREATE', { ...receipt, raw_data: { invoices: [] } }, 'raw_data', /invoices/],
    [
      'BILL_PAYMENTS',
      'CREATE',
      { bill_id: '1', amount: '1', raw_data: { reference_number: '' } },
      'raw_data',
      /reference_number/,
    ],
    ['ACCOUNTS', 'CREATE', { ...account, sub_category: 'BANK' }, 'sub_category', /BANK belongs to BANK/],
    ['ACCOUNTS', 'CREATE', { ...account, sub_category: 'ODD' }, 'sub_category', /one of/],
    ['ACCOUNTS', 'CREATE', { ...account, raw_data: { account_type: 'bank' } }, 'raw_data', /account_type/],
  ] as const)('%s, %s %j', (dataModel, operation, given, field, words) => {
    expect(problemOf(dataModel, operation, given)).toEqual([
      'invalid-params',
      field,
      expect.stringMatching(words),
    ]);
  });

  test.each([
    ['INVOICES', { ...invoice, line_items: [spent] }, 'line_items.0.item_id'],
    ['INVOICES', { contact_id: '1' }, 'line_items'],
    ['BILLS', { ...bill, line_items: [{ unit_amount: '1' }] }, 'line_items.0.account_id'],
    ['BILLS', { contact_id: '1', line_items: [spent] }, 'document_number'],
    ['INVOICE_CREDIT_NOTES', { ...credit, posted_date: undefined }, 'posted_date'],
    ['INVOICE_CREDIT_NOTES', { ...credit, document_number: undefined }, 'document_number'],
    ['BILL_CREDIT_NOTES', { line_items: [spent] }, 'contact_id'],
    ['INVOICE_PAYMENTS', { ...receipt, payment_mode: undefined }, 'payment_mode'],
    ['INVOICE_PAYMENTS', { ...receipt, payment_date: undefined }, 'payment_date'],
    ['BILL_PAYMENTS', { bill_id: '1' }, 'amount'],
    ['ACCOUNTS', { name: 'Odd jobs' }, 'category'],
  ] as const)('%s without what is needed: %j', (dataModel, given, field) => {
    expect(problemOf(dataModel, 'CREATE', given)?.slice(0, 2)).toEqual(['missing-params', field]);
  });
});

describe('documents', () => {
  test('have our marker as their reference, and prices without tax', () => {
    expect(requestOf('INVOICES', 'CREATE', invoice)).toEqual({
      method: 'POST',
      path: '/invoices',
      body: {
        customer_id: '1',
        line_items: [{ item_id: '4', quantity: 1, rate: 10 }],
        is_inclusive_tax: false,
        reference_number: 'svc-1',
      },
    });
    expect(
      bodyOf('INVOICES', { ...invoice, raw_data: { is_inclusive_tax: true, terms: 'x' } }),
    ).toMatchObject({
      is_inclusive_tax: true,
      terms: 'x',
    });
  });

  test('have all that an item has', () => {
    const full = {
      ...bill,
      posted_date: '2026-03-02',
      due_date: '2026-03-31',
      currency_id: '8',
      currency_rate: '1.25',
      memo: 'Thanks',
      line_items: [{ ...line, account_id: '5', description: 'd', quantity: '12.5', tax_id: '3' }],
    };
    expect(bodyOf('BILLS', full)).toEqual({
      vendor_id: '2',
      bill_number: 'B-1',
      currency_id: '8',
      exchange_rate: 1.25,
      date: '2026-03-02',
      due_date: '2026-03-31',
      notes: 'Thanks',
      is_inclusive_tax: false,
      reference_number: 'svc-1',
      line_items: [
        { item_id: '4', account_id: '5', description: 'd', quantity: 12.5, rate: 10, tax_id: '3' },
      ],
    });
  });

  test.each([
    ['INVOICES', { ...invoice, document_number: 'I-1' }, true],
    ['INVOICES', invoice, false],
    ['INVOICE_CREDIT_NOTES', credit, true],
    ['BILL_CREDIT_NOTES', bill, true],
    ['BILL_CREDIT_NOTES', { ...bill, document_number: undefined }, false],
    ['BILLS', bill, false],
  ])('%s %j with a number of the caller’s own: %p', (dataModel, item, isOwn) => {
    const { query } = requestOf(dataModel, 'CREATE', item);
    expect(query).toEqual(isOwn ? { ignore_auto_number_generation: 'true' } : undefined);
  });

  test('have discounts of lines as amounts before tax', () => {
    const discounted = { ...line, total_discount: '1.5' };
    expect(bodyOf('INVOICES', { ...invoice, line_items: [line, discounted] })).toMatchObject({
      discount_type: 'item_level',
      is_discount_before_tax: true,
      line_items: [{ rate: 10 }, { discount: 1.5 }],
    });
    const none = bodyOf('INVOICES', { ...invoice, line_items: [{ ...line, total_discount: '0' }] });
    expect(none).not.toHaveProperty('discount_type');
    expect(none['line_items']).toEqual([{ item_id: '4', quantity: 1, rate: 10 }]);
  });

  test.each([
    ['DRAFT', { is_draft: true }],
    ['SUBMITTED', { is_draft: false }],
  ])('of credit are %s by a field', (status, field) => {
    expect(bodyOf('INVOICE_CREDIT_NOTES', { ...credit, status })).toMatchObject(field);
    expect(bodyOf('INVOICE_CREDIT_NOTES', credit)).not.toHaveProperty('is_draft');
  });

  test('are sent by a call that follows, if asked for and not done yet', () => {
    const { follow } = formOf('INVOICES', 'CREATE');
    const draft = { invoice_id: '7', status: 'draft' };
    const sent = { method: 'POST', path: '/invoices/7/status/sent', body: null };
    expect(follow?.({ status: 'SUBMITTED' }, draft)).toEqual([sent]);
    expect(follow?.({ status: 'SUBMITTED' }, { ...draft, status: 'sent' })).toEqual([]);
    expect(follow?.({ status: 'DRAFT' }, draft)).toEqual([]);
    expect(follow?.({}, draft)).toEqual([]);
    expect(formOf('BILLS', 'CREATE').follow).toBeUndefined();
  });

  test.each([
    ['INVOICES', 'VOID', '/invoices/7/status/void'],
    ['INVOICES', 'SUBMITTED', '/invoices/7/status/sent'],
    ['BILLS', 'VOID', '/bills/7/status/void'],
  ])('%s become %s by a call of its own', (dataModel, status, path) => {
    const item = { platform_id: '7', status };
    expect(requestOf(dataModel, 'UPDATE', item)).toEqual({ method: 'POST', path, body: null });
  });

  test('of sale repeat their customer and lines in a change', () => {
    const kept = {
      line_item_id: '70',
      item_id: '4',
      rate: 3,
      quantity: 2,
      discount: 1,
      tags: [{ tag_id: '1', tag_option_id: '2', tag_name: 'Place' }],
      item_total: 5,
      tax_id: '',
    };
    const current = { customer_id: '1', line_items: [kept], is_inclusive_tax: true, notes: 'n' };
    expect(requestOf('INVOICES', 'UPDATE', { platform_id: '7', memo: 'x' }, { current })).toEqual({
      method: 'PUT',
      path: '/invoices/7',
      body: {
        customer_id: '1',
        line_items: [
          {
            line_item_id: '70',
            item_id: '4',
            rate: 3,
            quantity: 2,
            discount: 1,
            tags: [{ tag_id: '1', tag_option_id: '2' }],
          },
        ],
        notes: 'x',
      },
    });
    const changed = { platform_id: '7', contact_id: '9', line_items: [line], document_number: 'I-2' };
    expect(requestOf('INVOICES', 'UPDATE', changed, { current })).toMatchObject({
      query: { ignore_auto_number_generation: 'true' },
      body: {
        customer_id: '9',
        invoice_number: 'I-2',
        is_inclusive_tax: false,
        line_items: [{ item_id: '4', quantity: 1, rate: 10 }],
      },
    });
  });

  test('of purchase repeat their vendor and number in a change', () => {
    const current = { vendor_id: '2', bill_number: 'B-1', line_items: [spent] };
    const { body } = requestOf('BILLS', 'UPDATE', { platform_id: '7', memo: 'x' }, { current });
    expect(body).toEqual({ vendor_id: '2', bill_number: 'B-1', notes: 'x' });
    const changed = { platform_id: '7', contact_id: '9', document_number: 'B-2' };
    expect(requestOf('BILLS', 'UPDATE', changed, { current }).body).toEqual({
      vendor_id: '9',
      bill_number: 'B-2',
    });
  });

  test('warn of a discount that Zoho took for a share', () => {
    const warningsOf = (discount: unknown, discount_amount: unknown) =>
      resourceOf('INVOICES').warned?.({ line_items: [{}, { discount, discount_amount }] });
    expect(warningsOf('10', '1')).toEqual([
      {
        path: ['lineItems', 1, 'totalDiscount'],
        words: expect.stringMatching(/^is 1 at Zoho Books: check/),
      },
    ]);
    expect(warningsOf('1.50', '1.5')).toEqual([]);
    expect(warningsOf('10%', '1')).toEqual([]);
    expect(warningsOf('1', undefined)).toEqual([]);
  });
});

describe('what came of a write', () => {
  const request = (path: string) => ({ method: 'POST', path, body: null }) as const;
  const writtenOf =
    (dataModel: string) =>
    (...given: Parameters<PushResource['written']>) =>
      resourceOf(dataModel).written(...given);

  test('is the object in the answer, or the one whose status was changed', () => {
    const written = writtenOf('INVOICES');
    expect(written({ invoice: { invoice_id: '7' } }, request('/invoices'))).toEqual({ invoice_id: '7' });
    expect(written({ code: 0 }, request('/invoices'))).toBeNull();
    expect(written({ code: 0 }, request('/invoices/7'))).toBeNull();
    expect(written({ code: 0 }, request('/invoices/7/status/void'))).toMatchObject({ invoice_id: '7' });
    expect(written({ code: 0 }, request('/bills/7/status/void'))).toBeNull();
  });

  test('is read again where an answer lacks it, or a further call changed it', async () => {
    const client = answering(({ path }) => ({ invoice: { invoice_id: path.split('/')[2], status: 'sent' } }));
    const resource = resourceOf('INVOICES');
    const named = resource.written({ code: 0 }, request('/invoices/7/status/void')) ?? {};
    expect(await resource.readBack?.(client, named)).toEqual({ invoice_id: '7', status: 'sent' });
    expect(await resource.readBack?.(client, { invoice_id: '8', status: 'draft' })).toMatchObject({
      status: 'sent',
    });
    const read = client.calls.length;
    const whole = { invoice_id: '9', status: 'sent' };
    expect(await resource.readBack?.(client, whole)).toBe(whole);
    const open = { bill_id: '9', status: 'draft' };
    expect(await resourceOf('BILLS').readBack?.(client, open)).toBe(open);
    expect(client.calls).toHaveLength(read);
    expect(resourceOf('BILL_CREDIT_NOTES').readBack).toBeUndefined();
  });

  test('may have other names', () => {
    const payment = { payment_id: '7' };
    const written = writtenOf('BILL_PAYMENTS');
    expect(written({ code: 0, vendorpayment: payment }, request('/vendorpayments'))).toEqual(payment);
    expect(written({ code: 0, ...payment }, request('/vendorpayments'))).toMatchObject(payment);
    expect(written({ code: 0 }, request('/vendorpayments'))).toBeNull();
    const made = { account_id: '7' };
    for (const answer of [{ account: made }, { chart_of_account: made }])
      expect(resourceOf('ACCOUNTS').written(answer, request('/chartofaccounts'))).toEqual(made);
  });
});

test('what was written is found again but for accounts and items, which have no place for a marker', () => {
  const lost = zohoPushes.resources.filter(({ find }) => find === undefined);
  expect(lost.map(({ definition }) => definition.dataModel)).toEqual(['ACCOUNTS', 'ITEMS']);
});

describe('a document that was written', () => {
  const find = async (answers: Readonly<Record<string, object>>, besides?: string) => {
    const client = answering(({ path }) => answers[path] ?? {});
    const lost = { marker: 'svc-1', item: invoice, ...(besides && { besides }) };
    return [await resourceOf('INVOICE_PAYMENTS').find?.(client, lost), client.calls] as const;
  };
  const one = (payment_id: string, reference_number: string) => ({
    payment: { payment_id, reference_number },
  });

  test('is the one whose reference is our marker', async () => {
    const list = { customerpayments: [{ payment_id: '7', reference_number: 'svc-1' }, { payment_id: '8' }] };
    const answers = {
      '/customerpayments': list,
      '/customerpayments/7': one('7', 'svc-1'),
      '/customerpayments/8': one('8', 'svc-1'),
    };
    const [found, calls] = await find(answers);
    expect(found).toMatchObject({ payment_id: '7' });
    expect(calls[0]?.query).toMatchObject({ reference_number: 'svc-1' });
    const [twin] = await find(answers, '7:invoice:12');
    expect(twin).toMatchObject({ payment_id: '8' });
    const [other] = await find({ ...answers, '/customerpayments/8': one('8', 'svc-2') }, '7');
    expect(other).toBeNull();
  });

  test('is not known from a list that was not searched', async () => {
    const strange = { customerpayments: [{ payment_id: '7', reference_number: 'svc-2' }] };
    await expect(find({ '/customerpayments': strange })).rejects.toThrow(/must search customerpayments/);
    const unsaid = Array.from({ length: 11 }, (_, index) => ({ payment_id: String(index) }));
    await expect(find({ '/customerpayments': { customerpayments: unsaid } })).rejects.toThrow(/must search/);
  });
});

describe('payments', () => {
  const references: References = {
    valueOf: (dataModel, field, id) => (field === 'contactId' ? `${dataModel} ${id}` : null),
    rawValueOf: () => null,
  };

  test('are of one document, by its contact', () => {
    expect(bodyOf('INVOICE_PAYMENTS', { ...receipt, account_id: '3', memo: 'm' }, references)).toEqual({
      customer_id: 'INVOICES 7',
      payment_mode: 'cash',
      amount: 5,
      date: '2026-03-02',
      description: 'm',
      account_id: '3',
      reference_number: 'svc-1',
      invoices: [{ invoice_id: '7', amount_applied: 5 }],
      invoice_id: '7',
      amount_applied: 5,
    });
    const paid = { bill_id: '7', amount: '5', currency_rate: '1.5', account_id: '3' };
    expect(bodyOf('BILL_PAYMENTS', paid, references)).toEqual({
      vendor_id: 'BILLS 7',
      amount: 5,
      exchange_rate: 1.5,
      paid_through_account_id: '3',
      reference_number: 'svc-1',
      bills: [{ bill_id: '7', amount_applied: 5 }],
    });
  });

  test('are by the contact that an item names', () => {
    expect(bodyOf('INVOICE_PAYMENTS', { ...receipt, contact_id: '9' }, references)['customer_id']).toBe('9');
    const paid = { bill_id: '7', amount: '5', contact_id: '9' };
    expect(bodyOf('BILL_PAYMENTS', paid, references)['vendor_id']).toBe('9');
  });

  test.each([
    ['INVOICE_PAYMENTS', receipt],
    ['BILL_PAYMENTS', { bill_id: '7' }],
  ])('%s are rounded, and a warning says so', (dataModel, item) => {
    const given = { ...item, amount: '5.0055' };
    const { warnings } = checkItem(formOf(dataModel, 'CREATE'), given, 'CREATE');
    expect(warnings.map(({ path, words }) => [toWirePath(path), words])).toEqual([
      [['amount'], expect.stringMatching(/is stored as 5.006/)],
    ]);
    expect(bodyOf(dataModel, given)['amount']).toBe(5.006);
    expect(checkItem(formOf(dataModel, 'CREATE'), { ...given, amount: '5.005' }, 'CREATE').warnings).toEqual(
      [],
    );
  });

  test('change the documents that they pay', () => {
    const along = (dataModel: string) =>
      resourceOf(dataModel).changesAlong?.([
        { dataModel: 'INVOICES', platformId: '7', path: [] },
        { dataModel: 'BILLS', platformId: '8', path: [] },
      ]);
    expect(along('INVOICE_PAYMENTS')).toEqual(new Map([['INVOICES', ['7']]]));
    expect(along('BILL_PAYMENTS')).toEqual(new Map([['BILLS', ['8']]]));
  });
});

describe('accounts', () => {
  test.each([
    [{ category: 'ASSET' }, 'other_current_asset'],
    [{ category: 'BANK' }, 'bank'],
    [{ category: 'LIABILITY' }, 'other_current_liability'],
    [{ sub_category: 'Cost_of_goods_sold' }, 'cost_of_goods_sold'],
    [{ category: 'LIABILITY', sub_category: 'CREDIT_CARD' }, 'credit_card'],
    [{ category: 'ASSET', sub_category: 'FIXED_ASSET' }, 'fixed_asset'],
  ])('with %j are of the type %s', (fields, type) => {
    const own = { name: 'A', description: 'About it', nominal_code: '1', parent_account_id: '7' };
    expect(bodyOf('ACCOUNTS', { ...own, currency_id: '8', ...fields })).toEqual({
      account_name: 'A',
      description: 'About it',
      account_code: '1',
      account_type: type,
      parent_account_id: '7',
      currency_id: '8',
    });
  });
});

describe('a refusal', () => {
  test.each([
    ['INVOICES', 'Please select a customer.', 'missing-params', 'contact_id'],
    ['INVOICES', 'Invalid value passed for customer_id', 'invalid-params', 'contact_id'],
    ['INVOICES', 'Invoice number I-1 already exists.', 'record-already-exists', 'document_number'],
    ['INVOICES', 'Invalid value passed for due_date', 'invalid-params', 'due_date'],
    ['INVOICES', 'Invalid value passed for date', 'invalid-params', 'posted_date'],
    ['INVOICES', 'Invalid value passed for exchange_rate', 'invalid-params', 'currency_rate'],
    ['INVOICES', 'Invalid value passed for currency_id', 'invalid-params', 'currency_id'],
    ['INVOICES', 'Invalid value passed for item_id', 'invalid-params', 'line_items'],
    ['INVOICES', 'Invalid value passed for tax_id', 'invalid-params', 'line_items'],
    ['INVOICES', 'Invalid value passed for notes', 'invalid-params', 'memo'],
    [
      'BILL_CREDIT_NOTES',
      'Vendor Credit number C already exists.',
      'record-already-exists',
      'document_number',
    ],
    ['INVOICE_PAYMENTS', 'Invalid value passed for invoice_id', 'invalid-params', 'invoice_id'],
    ['INVOICE_PAYMENTS', 'The invoice is a draft.', 'platform-denied', 'invoice_id'],
    ['INVOICE_PAYMENTS', 'Invalid value passed for payment_mode', 'invalid-params', 'payment_mode'],
    ['INVOICE_PAYMENTS', 'Invalid value passed for account_id', 'invalid-params', 'account_id'],
    ['INVOICE_PAYMENTS', 'Invalid value passed for date', 'invalid-params', 'payment_date'],
    ['INVOICE_PAYMENTS', 'Invalid value passed for exchange_rate', 'invalid-params', 'currency_rate'],
    ['INVOICE_PAYMENTS', 'Invalid value passed for description', 'invalid-params', 'memo'],
    ['INVOICE_PAYMENTS', 'Please select a customer.', 'missing-params', 'contact_id'],
    ['BILL_PAYMENTS', 'The amount is more than the balance due of the bill.', 'invalid-params', 'amount'],
    ['BILL_PAYMENTS', 'Invalid value passed for bill_id', 'invalid-params', 'bill_id'],
    ['BILL_PAYMENTS', 'The bill is void.', 'platform-denied', 'bill_id'],
    ['BILL_PAYMENTS', 'Please select a vendor.', 'missing-params', 'contact_id'],
    ['ACCOUNTS', 'The account code 1 already exists.', 'record-already-exists', 'nominal_code'],
    ['ACCOUNTS', 'Invalid value passed for parent_account_id', 'invalid-params', 'parent_account_id'],
    ['ACCOUNTS', 'Invalid value passed for account_type', 'invalid-params', 'sub_category'],
    ['ACCOUNTS', 'Invalid value passed for currency_id', 'invalid-params', 'currency_id'],
    ['ACCOUNTS', 'Invalid value passed for description', 'invalid-params', 'description'],
    ['ACCOUNTS', 'The account name A already exists.', 'record-already-exists', 'name'],
  ])('of %s, %j, is %s at %s', (dataModel, message, code, field) => {
    const problem = resourceOf(dataModel).refusal({ status: 400, body: { code: 9, message }, text: '' });
    expect([problem.code, toWirePath(problem.path).join('.')]).toEqual([code, field]);
  });
});
