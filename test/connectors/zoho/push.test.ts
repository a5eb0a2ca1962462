import { describe, expect, test } from '@jest/globals';

import { toWirePath } from '../../../src/base/names.js';
import { answering } from '../sandbox/answering.js';
import { bodyOf, problemOf, requestOf, resourceOf } from './pushing.js';

const invoiceItem = { unit_price: '1' };
const item = { name: 'Hour', type: 'SERVICE', invoice_item: invoiceItem };
const contact = { name: 'Rosa', contact_type: 'VENDOR' };

describe('what cannot be written is refused by its field', () => {
  test.each([
    ['CONTACTS', 'CREATE', { ...contact, tax_number: '7' }, 'tax_number', /gst_no, vat_reg_no/],
    ['CONTACTS', 'CREATE', { ...contact, status: 'ARCHIVED' }, 'status', /one of ACTIVE/],
    ['CONTACTS', 'CREATE', { ...contact, name: 'x'.repeat(101) }, 'name', /at most 100/],
    [
      'CONTACTS',
      'CREATE',
      { ...contact, addresses: [{ city: 'A' }, { type: 'BILLING', city: 'B' }] },
      'addresses',
      /one of each type/,
    ],
    [
      'CONTACTS',
      'CREATE',
      { ...contact, addresses: [{ street: 'A, B, C', locality: 'B' }] },
      'addresses.0.locality',
      /end of the street/,
    ],
    ['CONTACTS', 'CREATE', { ...contact, raw_data: { notes: 7 } }, 'raw_data.notes', /must be a text/],
    [
      'CONTACTS',
      'CREATE',
      { ...contact, raw_data: { organization_id: '7' } },
      'raw_data',
      /must not have organization_id/,
    ],
    ['CONTACTS', 'UPDATE', { platform_id: '1', raw_data: { contact_id: '7' } }, 'raw_data', /contact_id/],
    ['CONTACTS', 'UPDATE', { platform_id: '1', status: 'ARCHIVED', fax: '1' }, 'status', /only change/],
    [
      'CONTACTS',
      'UPDATE',
      { platform_id: '1', addresses: [{ street: 'A, B, C', locality: 'B' }] },
      'addresses.0.locality',
      /end of the street/,
    ],
    ['ITEMS', 'CREATE', { ...item, quantity_on_hand: '7' }, 'quantity_on_hand', /by location/],
    [
      'ITEMS',
      'CREATE',
      { ...item, bill_item: { account_id: '1', tax_id: '1' } },
      'bill_item.tax_id',
      /one tax/,
    ],
    ['ITEMS', 'CREATE', { ...item, is_invoice_item: false }, 'is_invoice_item', /must be true/],
    [
      'ITEMS',
      'CREATE',
      { ...item, description: 'a', invoice_item: { ...invoiceItem, description: 'b' } },
      'invoice_item.description',
      /same as the description/,
    ],
    ['ITEMS', 'CREATE', { ...item, raw_data: { item_id: '7' } }, 'raw_data', /must not have/],
    [
      'ITEMS',
      'UPDATE',
      { platform_id: '1', description: 'a', invoice_item: { description: 'b' } },
      'invoice_item.description',
      /same as the description/,
    ],
    ['ITEMS', 'UPDATE', { platform_id: '1', status: 'ARCHIVED', name: 'x' }, 'status', /only change/],
  ] as const)('%s, %s %j', (dataModel, operation, given, field, words) => {
    expect(problemOf(dataModel, operation, given)).toEqual([
      'invalid-params',
      field,
      expect.stringMatching(words),
    ]);
  });

  test.each([
    ['CONTACTS', 'CREATE', { name: 'Rosa' }, 'contact_type'],
    ['ITEMS', 'CREATE', { name: 'Hour', type: 'SERVICE' }, 'invoice_item.unit_price'],
    ['ITEMS', 'CREATE', { ...item, is_bill_item: true }, 'bill_item.account_id'],
    ['ITEMS', 'CREATE', { ...item, bill_item: { unit_price: '1' } }, 'bill_item.account_id'],
    ['ITEMS', 'CREATE', { ...item, invoice_item: { description: 'x' } }, 'invoice_item.unit_price'],
    [
      'ITEMS',
      'CREATE',
      { ...item, type: 'INVENTORY', bill_item: { account_id: '1' } },
      'raw_data.inventory_account_id',
    ],
    ['ITEMS', 'CREATE', { ...item, type: 'INVENTORY' }, 'bill_item.account_id'],
  ] as const)('%s, %s without what is needed: %j', (dataModel, operation, given, field) => {
    expect(problemOf(dataModel, operation, given)?.slice(0, 2)).toEqual(['missing-params', field]);
  });
});

describe('contacts', () => {
  const primary = {
    contact_person_id: '71',
    first_name: 'Jo',
    last_name: 'Smith',
    email: 'jo@example.com',
    phone: '',
    is_primary_contact: true,
    zcrm_contact_id: '9',
  };
  const current = {
    contact_name: 'Rosa',
    billing_address: { address: '1 Road', street2: '', city: 'Ham', fax: '33', address_id: '5' },
    contact_persons: [{ contact_person_id: '70', first_name: 'Al', is_primary_contact: false }, primary],
  };
  const change = (fields: object) =>
    requestOf('CONTACTS', 'UPDATE', { platform_id: '7', ...fields }, { current }).body;

  test('have our marker in their notes, below what the caller has there', () => {
    expect(bodyOf('CONTACTS', contact)).toEqual({
      contact_name: 'Rosa',
      contact_type: 'vendor',
      notes: 'svc-1',
    });
    expect(bodyOf('CONTACTS', { ...contact, raw_data: { notes: 'Nice', gst_no: '7' } })).toEqual({
      contact_name: 'Rosa',
      contact_type: 'vendor',
      gst_no: '7',
      notes: 'Nice\nsvc-1',
    });
  });

  test('have their name split, and one word is the first', () => {
    const personOf = (contact_name: string) =>
      bodyOf('CONTACTS', { ...contact, contact_name })['contact_persons'];
    expect(personOf(' Rosa  Maria Luxemburg ')).toEqual([
      { first_name: 'Rosa Maria', last_name: 'Luxemburg', is_primary_contact: true },
    ]);
    expect(personOf('Rosa')).toEqual([{ first_name: 'Rosa', last_name: '', is_primary_contact: true }]);
  });

  test('keep their name, and nothing else is repeated', () => {
    expect(change({ website: 'w' })).toEqual({ contact_name: 'Rosa', website: 'w' });
    expect(change({ currency_id: '8' })).toMatchObject({ currency_id: '8' });
    expect(change({ name: 'Rosa & Co.' })).toEqual({ contact_name: 'Rosa & Co.' });
  });

  test('keep their persons where the primary one changes', () => {
    expect(change({ mobile: '5', email: 'new@example.com' })['contact_persons']).toEqual([
      { contact_person_id: '70', first_name: 'Al', is_primary_contact: false },
      {
        contact_person_id: '71',
        first_name: 'Jo',
        last_name: 'Smith',
        email: 'new@example.com',
        mobile: '5',
        is_primary_contact: true,
      },
    ]);
  });

  test('get a primary person where there is none, before the others', () => {
    const others = [{ contact_person_id: '70', first_name: 'Al', is_primary_contact: false }];
    const { body } = requestOf(
      'CONTACTS',
      'UPDATE',
      { platform_id: '7', telephone: '5' },
      { current: { contact_persons: others } },
    );
    expect(body['contact_persons']).toEqual([{ phone: '5', is_primary_contact: true }, ...others]);
  });

  test('keep the place with a new fax number, and the number with a new place', () => {
    expect(change({ fax: '44' })['billing_address']).toEqual({ address: '1 Road', city: 'Ham', fax: '44' });
    expect(change({ addresses: [{ street: '2 Road' }] })['billing_address']).toEqual({
      address: '2 Road',
      street2: '',
      city: '',
      state: '',
      zip: '',
      country: '',
      fax: '33',
    });
    expect(change({ addresses: [{ type: 'SHIPPING', city: 'Ely' }] })).toMatchObject({
      shipping_address: { city: 'Ely', address: '' },
    });
    expect(change({ addresses: [{ type: 'SHIPPING', city: 'Ely' }] })).not.toHaveProperty('billing_address');
  });

  test.each([
    ['ARCHIVED', 'inactive'],
    ['ACTIVE', 'active'],
  ])('become %s by a call of its own', (status, word) => {
    for (const [dataModel, path] of [
      ['CONTACTS', 'contacts'],
      ['ITEMS', 'items'],
    ] as const) {
      const item = { platform_id: '7/8', status, expected_version: 'a' };
      expect(requestOf(dataModel, 'UPDATE', item)).toEqual({
        method: 'POST',
        path: `/${path}/7%2F8/${word}`,
        body: null,
      });
    }
  });
});

describe('items', () => {
  const terms = { account_id: '1', unit_price: '1.10' };
  test.each([
    [{ invoice_item: terms }, 'SERVICE', 'sales', 'service'],
    [{ bill_item: terms }, 'NON_INVENTORY', 'purchases', 'goods'],
    [{ invoice_item: terms, bill_item: terms }, 'SERVICE', 'sales_and_purchases', 'service'],
    [
      { invoice_item: terms, bill_item: terms, raw_data: { inventory_account_id: '9' } },
      'INVENTORY',
      'inventory',
      'goods',
    ],
  ])('with %j of type %s are %s', (sides, type, item_type, product_type) => {
    const body = bodyOf('ITEMS', { name: 'Hour', type, ...sides });
    expect(body).toMatchObject({
      name: 'Hour',
      item_type,
      product_type,
      rate: 'invoice_item' in sides ? 1.1 : 0,
    });
    expect(body['purchase_rate']).toBe('bill_item' in sides ? '1.10' : undefined);
  });

  test('have the text of what is sold as their own, and that of what is bought beside it', () => {
    const sold = { ...terms, tax_id: '3', description: 'Sold' };
    const sides = { invoice_item: sold, bill_item: { ...terms, description: 'Bought' } };
    expect(bodyOf('ITEMS', { name: 'Hour', type: 'SERVICE', ...sides })).toMatchObject({
      description: 'Sold',
      purchase_description: 'Bought',
      tax_id: '3',
    });
  });

  test('keep their name and price', () => {
    const current = { name: 'Hour', rate: 80, item_type: 'inventory', sku: 'H' };
    const update = (item: object) =>
      requestOf('ITEMS', 'UPDATE', { platform_id: '7', ...item }, { current }).body;
    expect(update({ code: 'H-1' })).toEqual({ name: 'Hour', rate: 80, sku: 'H-1' });
    expect(update({ name: 'Day', invoice_item: terms, bill_item: terms })).toEqual({
      name: 'Day',
      rate: 1.1,
      account_id: '1',
      purchase_rate: '1.10',
      purchase_account_id: '1',
    });
  });

  test.each([
    ['sales', { bill_item: terms }, 'sales_and_purchases'],
    ['purchases', { invoice_item: terms }, 'sales_and_purchases'],
    ['sales', { invoice_item: terms }, undefined],
    ['purchases', { bill_item: terms }, undefined],
  ])('that were for %s and get %j are %s', (item_type, sides, kind) => {
    const current = { name: 'Hour', rate: 80, item_type };
    const { body } = requestOf('ITEMS', 'UPDATE', { platform_id: '7', ...sides }, { current });
    expect(body['item_type']).toBe(kind);
  });
});

const REFUSED: readonly (readonly [string, number, number, string, string, string])[] = [
  ['CONTACTS', 400, 3062, 'The contact with the name A already exists.', 'record-already-exists', 'name'],
  ['CONTACTS', 200, 15, 'contact_name is required', 'missing-params', 'name'],
  ['CONTACTS', 400, 2, 'Invalid value passed for currency_id', 'invalid-params', 'currency_id'],
  ['CONTACTS', 400, 15, 'Please enter a valid email address.', 'invalid-params', 'email'],
  ['CONTACTS', 400, 15, 'Please enter the mobile number.', 'missing-params', 'mobile'],
  ['CONTACTS', 400, 4, 'Something is odd about the phone', 'platform-denied', 'telephone'],
  ['CONTACTS', 400, 4, 'Something is odd', 'platform-denied', ''],
  ['CONTACTS', 400, 9, 'It already exists.', 'platform-denied', ''],
  ['CONTACTS', 404, 1002, 'Contact does not exist.', 'operation-denied', 'name'],
  ['ITEMS', 400, 1001, 'An item with the SKU X already exists.', 'record-already-exists', 'code'],
  [
    'ITEMS',
    400,
    2,
    'Invalid value passed for inventory_account_id',
    'invalid-params',
    'raw_data.inventory_account_id',
  ],
  ['ITEMS', 400, 2, 'Invalid value passed for purchase_account_id', 'invalid-params', 'bill_item.account_id'],
  ['ITEMS', 400, 2, 'Invalid value passed for purchase_rate', 'invalid-params', 'bill_item.unit_price'],
  [
    'ITEMS',
    400,
    2,
    'Invalid value passed for purchase_description',
    'invalid-params',
    'bill_item.description',
  ],
  ['ITEMS', 400, 2, 'Invalid value passed for account_id', 'invalid-params', 'invoice_item.account_id'],
  ['ITEMS', 400, 2, 'Invalid value passed for tax_id', 'invalid-params', 'invoice_item.tax_id'],
  ['ITEMS', 400, 2, 'Invalid value passed for rate', 'invalid-params', 'invoice_item.unit_price'],
  [
    'ITEMS',
    400,
    15,
    'Please ensure that the description has less than 9 characters.',
    'invalid-params',
    'description',
  ],
  ['ITEMS', 400, 2, 'Invalid value passed for item_type', 'invalid-params', 'type'],
];

describe('a refusal', () => {
  test.each(REFUSED)(
    'of %s with %i and code %i, %j, is %s at %j',
    (dataModel, status, code, message, ours, field) => {
      const problem = resourceOf(dataModel).refusal({ status, body: { code, message }, text: '' });
      expect([problem.code, toWirePath(problem.path).join('.')]).toEqual([ours, field]);
      expect(problem.words).toContain(message);
      expect(problem.platformError).toBe(`${message} (${code})`);
    },
  );

  test('for a missing consent says how to give it', () => {
    const body = { code: 57, message: 'You are not authorized to perform this operation' };
    const problem = resourceOf('CONTACTS').refusal({ status: 401, body, text: '' });
    expect(problem).toMatchObject({ code: 'operation-denied', path: [] });
    expect(problem.words).toMatch(/^Operation Denied: You are not authorized.*connect Zoho Books again/);
  });

  test('without words has the start of its text', () => {
    const refusal = (status: number) => resourceOf('CONTACTS').refusal({ status, body: null, text: 'nope' });
    expect(refusal(404)).toMatchObject({ code: 'operation-denied', platformError: 'nope' });
    expect(refusal(400)).toMatchObject({
      code: 'platform-denied',
      words: expect.stringContaining('nope'),
    });
  });
});

describe('a contact that was written', () => {
  const find = (answers: Readonly<Record<string, object>>, besides?: string) => {
    const client = answering(({ path, query }) => {
      if (path === '/contacts')
        expect(query).toMatchObject({ contact_name: 'Rosa', filter_by: 'Status.All' });
      return answers[path] ?? {};
    });
    const lost = { marker: 'svc-1', item: { name: 'Rosa' }, ...(besides && { besides }) };
    return resourceOf('CONTACTS').find?.(client, lost);
  };
  const row = (id: string, contact_name = 'ROSA') => ({ contact_id: id, contact_name });
  const one = (contact_id: string, notes: string) => ({ contact: { contact_id, notes } });

  test('is the one with our marker in its notes', async () => {
    const answers = {
      '/contacts': { contacts: [row('1'), row('2'), row('3')] },
      '/contacts/1': one('1', 'svc-10'),
      '/contacts/2': one('2', 'Nice\nsvc-1'),
      '/contacts/3': one('3', 'svc-1'),
    };
    expect(await find(answers)).toMatchObject({ contact_id: '2' });
    expect(await find(answers, '2')).toMatchObject({ contact_id: '3' });
    expect(await find({ '/contacts': { contacts: [row('1')] }, '/contacts/1': one('1', '') })).toBeNull();
    expect(await find({ '/contacts': { contacts: [] } })).toBeNull();
  });

  test('is not known from a list that was not searched, or not to its end', async () => {
    await expect(find({ '/contacts': { contacts: [row('1', 'Karl')] } })).rejects.toThrow(
      /must search contacts/,
    );
    const many = Array.from({ length: 200 }, (_, index) => row(String(index)));
    await expect(find({ '/contacts': { contacts: many } })).rejects.toThrow(/must search contacts/);
  });
});
