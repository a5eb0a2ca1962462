import { describe, expect, test } from '@jest/globals';

import { toWirePath } from '../../../src/base/names.js';
import { type PlatformObject } from '../../../src/connectors/platform.js';
import {
  recordsNamed,
  type References,
  type WriteForm,
  type WriteOperation,
} from '../../../src/connectors/push.js';
import { quickbooksPushes } from '../../../src/connectors/quickbooks/push/index.js';
import { stringifyPlatformJson } from '../../../src/connectors/values/platform-json.js';
import { checkItem } from '../../../src/writes/checks/check-item.js';
import { answering } from '../sandbox/answering.js';

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

const NOTHING_KNOWN: References = { valueOf: () => null, rawValueOf: () => null };

/** The request of an item, where QuickBooks has the object like that. */
function requestOf(
  dataModel: string,
  operation: WriteOperation,
  item: object,
  current: PlatformObject | null = null,
  references = NOTHING_KNOWN,
) {
  const form = formOf(dataModel, operation);
  const { value, problem } = checkItem(form, item, operation);
  expect(problem).toBeNull();
  return form.toRequest(value ?? {}, { references, marker: 'svc-1', current });
}

/** The body of a new record, with plain numbers. */
function bodyOf(dataModel: string, item: object, references = NOTHING_KNOWN): Record<string, any> {
  const { body } = requestOf(dataModel, 'CREATE', item, null, references);
  return JSON.parse(stringifyPlatformJson(body ?? {})) as Record<string, unknown>;
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
    [
      'INVOICES',
      'CREATE',
      { ...invoice, line_items: [{ ...line, tracking_category_ids: ['department:1', 'department:2'] }] },
      'line_items.0.tracking_category_ids',
      /same location/,
    ],
    ['INVOICES', 'CREATE', { ...invoice, raw_data: { Id: '5' } }, 'raw_data', /platform_id/],
    [
      'CONTACTS',
      'UPDATE',
      { platform_id: 'vendor:1', raw_data: { SyncToken: '5' } },
      'raw_data',
      /platform_id/,
    ],
    ['BILLS', 'UPDATE', { platform_id: '1', raw_data: { sparse: true } }, 'raw_data', /platform_id/],
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
    [
      'ACCOUNTS',
      'CREATE',
      { name: 'A', category: 'BANK', sub_category: 'Vehicles' },
      'sub_category',
      /must belong to the category BANK: Vehicles belongs to ASSET/,
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

test.each([
  ['INVOICES', invoice],
  ['INVOICE_CREDIT_NOTES', invoice],
  ['BILLS', bill],
  ['BILL_CREDIT_NOTES', bill],
  ['INVOICE_PAYMENTS', { invoice_id: '1', amount: '1' }],
  ['BILL_PAYMENTS', { bill_id: '1', amount: '1', account_id: '2' }],
])('a number of %s has at most 21 characters', (dataModel, item) => {
  const numbered = (length: number) => ({ ...item, document_number: 'N'.repeat(length) });
  expect(problemOf(dataModel, 'CREATE', numbered(21))).toBeNull();
  expect(problemOf(dataModel, 'CREATE', numbered(22))).toMatchObject([
    'invalid-params',
    'document_number',
    expect.stringContaining('21'),
  ]);
});

describe('what QuickBooks has no room for is named in the warnings', () => {
  const bought = (given: object) => ({ ...bill, line_items: [{ account_id: '50', ...given }] });

  test.each([
    ['BILLS', bought({ quantity: '3', unit_amount: '4.5' }), 'line_items.0.quantity', 'here 13.5'],
    ['BILLS', bought({ unit_amount: '1.2345' }), 'line_items.0.unit_amount', 'stored as 1.23: QuickBooks'],
    [
      'BILLS',
      bought({ item_id: '4', unit_amount: '1' }),
      'line_items.0.account_id',
      'the account of the item',
    ],
    ['ACCOUNTS', { name: 'Land', category: 'ASSET', sub_category: 'LandAsset' }, 'category', 'sub-category'],
    ['INVOICE_PAYMENTS', { invoice_id: '1', amount: '9.005' }, 'amount', 'stored as 9.01: QuickBooks'],
    [
      'BILL_PAYMENTS',
      { bill_id: '1', amount: '0.125', account_id: '2' },
      'amount',
      'stored as 0.13: QuickBooks stores 2 decimals',
    ],
  ])('of %s %j', (dataModel, item, field, words) => {
    const { warnings, problem } = checkItem(formOf(dataModel, 'CREATE'), item);
    expect(problem).toBeNull();
    expect(warnings.map(({ path, words: said }) => [toWirePath(path).join('.'), said])).toEqual([
      [field, expect.stringContaining(words)],
    ]);
  });
});

describe('an entry of a list of names', () => {
  const contact = {
    name: 'Rodeo',
    status: 'ARCHIVED',
    contact_name: 'Ada King Lovelace',
    currency_id: 'CAD',
    tax_number: '12',
    email: 'a@b.example',
    website: 'http://b.example',
    telephone: '1',
    mobile: '2',
    fax: '3',
    addresses: [{ street: '1 New St.', city: 'B', state: 'CA', pincode: '94001', country: 'US' }],
  };

  test.each([
    ['customer', 'PrimaryTaxIdentifier'],
    ['vendor', 'TaxIdentifier'],
  ])('that is a %s has all that it was given, and nothing of what it was before', (kind, tax) => {
    const { body } = requestOf('CONTACTS', 'UPDATE', { ...contact, platform_id: `${kind}:7` });
    expect(body).toEqual({
      Id: '7',
      SyncToken: '0',
      sparse: true,
      DisplayName: 'Rodeo',
      Active: false,
      GivenName: 'Ada King',
      MiddleName: '',
      FamilyName: 'Lovelace',
      CurrencyRef: { value: 'CAD' },
      [tax]: '12',
      PrimaryEmailAddr: { Address: 'a@b.example' },
      WebAddr: { URI: 'http://b.example' },
      PrimaryPhone: { FreeFormNumber: '1' },
      Mobile: { FreeFormNumber: '2' },
      Fax: { FreeFormNumber: '3' },
      BillAddr: {
        Line1: '1 New St.',
        Line2: '',
        Line3: '',
        Line4: '',
        Line5: '',
        City: 'B',
        CountrySubDivisionCode: 'CA',
        PostalCode: '94001',
        Country: 'US',
      },
    });
  });

  test('that is an item goes out of use', () => {
    const { body } = requestOf('ITEMS', 'UPDATE', { platform_id: '4', status: 'ARCHIVED' });
    expect(body).toEqual({ Id: '4', SyncToken: '0', sparse: true, Active: false });
  });

  test('that is an account may be below another one, in another currency', () => {
    const item = { name: 'Yen', category: 'BANK', currency_id: 'JPY', parent_account_id: '35' };
    expect(bodyOf('ACCOUNTS', { ...item, nominal_code: '12', description: 'Savings' })).toEqual({
      Name: 'Yen',
      Description: 'Savings',
      AcctNum: '12',
      AccountType: 'Bank',
      CurrencyRef: { value: 'JPY' },
      ParentRef: { value: '35' },
      SubAccount: true,
    });
    expect(bodyOf('ACCOUNTS', { name: 'Yen', category: 'BANK' })).toEqual({
      Name: 'Yen',
      AccountType: 'Bank',
    });
  });
});

describe('a new document', () => {
  const header = {
    document_number: 'D-1',
    posted_date: '2026-01-02',
    due_date: '2026-02-03',
    currency_id: 'CAD',
    currency_rate: '0.75',
    memo: 'Thanks',
  };
  const tracked = { tax_id: '7', tracking_category_ids: ['class:3', 'department:9'], description: 'Roses' };
  const shared = {
    DocNumber: 'D-1',
    TxnDate: '2026-01-02',
    DueDate: '2026-02-03',
    CurrencyRef: { value: 'CAD' },
    ExchangeRate: 0.75,
    DepartmentRef: { value: '9' },
    GlobalTaxCalculation: 'TaxExcluded',
  };
  const detail = { TaxCodeRef: { value: '7' }, ClassRef: { value: '3' } };
  const otherCurrency: References = { valueOf: () => null, rawValueOf: () => 'EUR' };

  test('that is sold has all that it was given', () => {
    const item = {
      ...header,
      contact_id: 'customer:1',
      line_items: [{ ...tracked, item_id: '4', quantity: '3', unit_amount: '0.335' }],
    };
    expect(bodyOf('INVOICES', item, otherCurrency)).toEqual({
      ...shared,
      CustomerRef: { value: '1' },
      CustomerMemo: { value: 'Thanks' },
      Line: [
        {
          Description: 'Roses',
          // To the cent, half a cent up.
          Amount: 1.01,
          DetailType: 'SalesItemLineDetail',
          SalesItemLineDetail: { ...detail, ItemRef: { value: '4' }, Qty: 3, UnitPrice: 0.335 },
        },
      ],
    });
  });

  test('that is bought has all that it was given', () => {
    const item = {
      ...header,
      contact_id: 'vendor:2',
      line_items: [
        { ...tracked, account_id: '50', unit_amount: '-0.335', quantity: '3' },
        { ...tracked, item_id: '4', unit_amount: '8' },
      ],
    };
    expect(bodyOf('BILLS', item, otherCurrency)).toEqual({
      ...shared,
      VendorRef: { value: '2' },
      PrivateNote: 'Thanks',
      Line: [
        {
          Description: 'Roses',
          Amount: -1.01,
          DetailType: 'AccountBasedExpenseLineDetail',
          AccountBasedExpenseLineDetail: { ...detail, AccountRef: { value: '50' } },
        },
        {
          Description: 'Roses',
          Amount: 8,
          DetailType: 'ItemBasedExpenseLineDetail',
          ItemBasedExpenseLineDetail: { ...detail, ItemRef: { value: '4' }, Qty: 1, UnitPrice: 8 },
        },
      ],
    });
  });

  test.each([
    ['INVOICES', invoice],
    ['BILLS', bill],
  ])(
    'of %s is in the currency of its contact, and without taxes where no line has any',
    (dataModel, item) => {
      expect(bodyOf(dataModel, item, otherCurrency)).toMatchObject({
        CurrencyRef: { value: 'EUR' },
        GlobalTaxCalculation: 'NotApplicable',
      });
      expect(bodyOf(dataModel, item)).not.toHaveProperty('CurrencyRef');
    },
  );

  test('may say by itself how it is taxed', () => {
    const raw_data = { GlobalTaxCalculation: 'TaxInclusive' };
    expect(bodyOf('BILLS', { ...bill, raw_data })).toMatchObject(raw_data);
  });
});

describe('a payment', () => {
  const header = { document_number: 'P-1', payment_date: '2026-01-02', memo: 'Half' };
  const foreign = { ...header, currency_id: 'CAD', currency_rate: '0.75' };
  const shared = {
    TotalAmt: 9.01,
    TxnDate: '2026-01-02',
    CurrencyRef: { value: 'CAD' },
    ExchangeRate: 0.75,
    PrivateNote: 'Half',
  };
  const known: References = {
    valueOf: (dataModel, field, id) =>
      field === 'contactId' && id === '5' ? (dataModel === 'INVOICES' ? 'customer:1' : 'vendor:2') : null,
    rawValueOf: () => null,
  };

  test('of an invoice has all that it was given, and the contact of the invoice', () => {
    const item = { ...foreign, invoice_id: '5', amount: '9.005', account_id: '35' };
    expect(bodyOf('INVOICE_PAYMENTS', item, known)).toEqual({
      ...shared,
      CustomerRef: { value: '1' },
      DepositToAccountRef: { value: '35' },
      PaymentRefNum: 'P-1',
      Line: [{ Amount: 9.01, LinkedTxn: [{ TxnId: '5', TxnType: 'Invoice' }] }],
    });
    expect(bodyOf('INVOICE_PAYMENTS', { ...item, contact_id: 'customer:8' }, known)).toMatchObject({
      CustomerRef: { value: '8' },
    });
  });

  test.each([
    [{}, 'Check', { CheckPayment: { BankAccountRef: { value: '35' } } }],
    [{ payment_mode: 'CreditCard' }, 'CreditCard', { CreditCardPayment: { CCAccountRef: { value: '35' } } }],
  ])('of a bill has all that it was given, and the contact of the bill: %j', (mode, PayType, from) => {
    const item = { ...foreign, ...mode, bill_id: '5', amount: '9.005', account_id: '35' };
    expect(bodyOf('BILL_PAYMENTS', item, known)).toEqual({
      ...shared,
      ...from,
      PayType,
      VendorRef: { value: '2' },
      DocNumber: 'P-1',
      Line: [{ Amount: 9.01, LinkedTxn: [{ TxnId: '5', TxnType: 'Bill' }] }],
    });
    expect(bodyOf('BILL_PAYMENTS', { ...item, contact_id: 'vendor:8' }, known)).toMatchObject({
      VendorRef: { value: '8' },
    });
  });

  test.each([
    ['INVOICE_PAYMENTS', { invoice_id: '5', contact_id: 'customer:1' }, ['INVOICES', ['5']]],
    ['BILL_PAYMENTS', { bill_id: '5', contact_id: 'vendor:2' }, ['BILLS', ['5']]],
  ])('of %s changes what it pays', (dataModel, item, changed) => {
    const { changesAlong } = resourceOf(dataModel);
    const named = recordsNamed(formOf(dataModel, 'CREATE'), { ...item, amount: '1', account_id: '35' });
    expect([...(changesAlong?.(named) ?? [])]).toEqual([changed]);
  });
});

test('a payment is read back with the name of its method', async () => {
  const client = answering(({ query }) => {
    expect(query['query']).toContain(' from PaymentMethod ');
    return { QueryResponse: { PaymentMethod: [{ Id: '1', Name: 'Cash' }] } };
  });
  const written = { Id: '5', PaymentMethodRef: { value: '1' } };
  const read = await resourceOf('INVOICE_PAYMENTS').readBack?.(client, written);
  expect(read).toMatchObject({ ...written, svc_payment_method: 'Cash' });
});

test('every change is of a version that is read right before', () => {
  const changeable = quickbooksPushes.resources.filter(({ update }) => update);
  const models = changeable.map(({ definition }) => definition.dataModel);
  expect(models).toEqual(['ITEMS', 'CONTACTS', 'INVOICES', 'BILLS']);
  for (const { update } of changeable) expect(update?.readsCurrent?.({})).toBe(true);
});

test('a change of an invoice repeats its contact', () => {
  const current = { SyncToken: '1', CustomerRef: { value: '3', name: 'Cool Cars' } };
  const { body } = requestOf('INVOICES', 'UPDATE', { platform_id: '9', memo: 'x' }, current);
  expect(body).toEqual({
    Id: '9',
    SyncToken: '1',
    sparse: true,
    CustomerRef: current.CustomerRef,
    CustomerMemo: { value: 'x' },
  });
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

  test.each([
    ['6140', 'Duplicate Document Number Error', 'record-already-exists', 'document_number'],
    ['6200', 'Account Period Closed, Cannot Update Through Services API', 'operation-denied', ''],
    ['6210', 'Account Period Closed', 'operation-denied', ''],
    ['6190', 'Subscription period has ended', 'operation-denied', ''],
    ['6540', 'Deposited Transaction cannot be changed', 'operation-denied', ''],
    ['2090', 'Invalid Number: Qty', 'invalid-params', 'line_items'],
    ['9999', 'Something about the currency', 'platform-denied', 'currency_id'],
  ])('with the code %s (%s) is a %s', (code, Message, expected, field) => {
    const problem = refusalOf([{ Message, Detail: Message, code }]);
    expect([problem.code, toWirePath(problem.path).join('.')]).toEqual([expected, field]);
    expect(problem.platformError).toBe(`${Message} (${code})`);
  });

  test.each([
    ['INVOICES', 'Invalid Reference Id : Names element id 58 not found', 'invalid-params', 'contact_id'],
    ['BILLS', 'Invalid Reference Id : Names element id 58 not found', 'invalid-params', 'contact_id'],
    [
      'INVOICE_PAYMENTS',
      'Invalid Reference Id : Names element id 58 not found',
      'invalid-params',
      'contact_id',
    ],
    ['BILLS', 'Invalid Reference Id : Accounts element id 58 not found', 'invalid-params', 'line_items'],
    [
      'BILL_PAYMENTS',
      'Invalid Reference Id : Accounts element id 58 not found',
      'invalid-params',
      'account_id',
    ],
    ['CONTACTS', 'Property Name:Foo specified is unsupported or invalid', 'platform-denied', ''],
    ['ITEMS', 'Property Name:Sku specified is unsupported or invalid', 'invalid-params', 'code'],
  ])('of %s by the words "%s" is a %s of "%s"', (dataModel, Detail, code, field) => {
    const body = { Fault: { Error: [{ Message: 'Refused', Detail, code: '2500' }] } };
    const problem = resourceOf(dataModel).refusal({ status: 400, body, text: JSON.stringify(body) });
    expect([problem.code, toWirePath(problem.path).join('.')]).toEqual([code, field]);
  });

  test.each([403, 404, 405])('with status %s is of the whole operation, whatever its code', (status) => {
    expect(refusalOf([{ Message: 'message=AuthorizationFailed', code: '3100' }], status).code).toBe(
      'operation-denied',
    );
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
