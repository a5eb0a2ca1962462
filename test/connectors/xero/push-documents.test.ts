import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import { objectOf, arrayOf } from '../../../src/connectors/values/platform-values.js';
import { type WriteForm } from '../../../src/connectors/push.js';
import { classifyXero } from '../../../src/connectors/xero/answers.js';
import { toContact } from '../../../src/connectors/xero/mappers/contact.js';
import { movementPushes } from '../../../src/connectors/xero/push/movements.js';
import { masterPushes } from '../../../src/connectors/xero/push/masters.js';
import { documentPushes } from '../../../src/connectors/xero/push/documents.js';
import { settingPushes } from '../../../src/connectors/xero/push/settings.js';
import { writeWarningText } from '../../../src/errors.js';
import { toWirePath } from '../../../src/base/names.js';
import { checkItem } from '../../../src/writes/checks/check-item.js';

const invoices = documentPushes.find(({ definition }) => definition.dataModel === 'INVOICES');

/** What is sent of an item, where Xero has the object like that. */
function sent(
  form: WriteForm | null | undefined,
  item: object,
  current: PlatformObject | null = null,
  list = 'Invoices',
) {
  const { value, problem } = checkItem(form as WriteForm, item);
  expect(problem).toBeNull();
  const none = { references: { get: () => null } as never, marker: 'marker', current };
  const { body } = (form as WriteForm).toRequest(value ?? {}, none);
  return objectOf(arrayOf(body?.[list])?.[0]);
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

describe('a document without tax at Xero', () => {
  const current = { LineAmountTypes: 'NoTax' };
  const taxed = (...taxes: (string | undefined)[]) => ({
    platform_id,
    line_items: taxes.map((tax_id) => ({ ...line_items[0], tax_id })),
  });

  test.each([
    [[undefined], 'NoTax', true],
    [[undefined, 'NONE'], 'NoTax', true],
    [['NONE'], 'NoTax', true],
    [['OUTPUT', undefined], 'Exclusive', false],
  ])('with lines of the taxes %j is sent as %s', (taxes, amountTypes, isRead) => {
    expect(sent(invoices?.update, taxed(...taxes), current)?.['LineAmountTypes']).toBe(amountTypes);
    expect(invoices?.update?.readsCurrent?.(taxed(...taxes))).toBe(isRead);
  });

  test('is what the caller says in raw_data, without a look', () => {
    const item = { ...taxed(undefined), raw_data: { LineAmountTypes: 'Exclusive' } };
    expect(sent(invoices?.update, item, current)?.['LineAmountTypes']).toBe('Exclusive');
    expect(invoices?.update?.readsCurrent?.(item)).toBe(false);
  });

  test('does not keep another one from prices without tax', () => {
    expect(
      sent(invoices?.update, taxed(undefined), { LineAmountTypes: 'Inclusive' })?.['LineAmountTypes'],
    ).toBe('Exclusive');
  });
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

describe('what Xero rounds is warned of', () => {
  const pushes = [...settingPushes, ...documentPushes, ...masterPushes, ...movementPushes];
  const warningsOf = (dataModel: string, item: object): string[] => {
    const form = pushes.find(({ definition }) => definition.dataModel === dataModel)?.create;
    const { problem, warnings } = checkItem(form as WriteForm, item);
    expect(problem).toBeNull();
    return warnings.map(({ words, path }) => writeWarningText({ words, path: toWirePath(path) }));
  };
  const contact_id = platform_id;

  test.each([
    ['83000', '83333.3333333333', '0.000012'],
    ['163.52', '163.532297628782', '0.006115'],
  ])('a rate of %s is stored as %s', (currency_rate, read, kept) => {
    const words = `currency_rate: is stored as ${read}: Xero stores the inverse rate with six decimals, ${kept}`;
    expect(warningsOf('INVOICES', { contact_id, line_items, currency_rate })).toEqual([words]);
    const paid = { account_id: platform_id, amount: '1', bill_id: platform_id, currency_rate };
    expect(warningsOf('BILL_PAYMENTS', paid)).toEqual([words]);
  });

  test.each(['0.0000412', '0.00651', '1.0873', '1.6', '1', '1000'])(
    'a rate of %s is kept',
    (currency_rate) => {
      expect(warningsOf('INVOICES', { contact_id, line_items, currency_rate })).toEqual([]);
    },
  );

  test('and what a transfer does not have, which is not stored at all', () => {
    const transfer = { type: 'TRANSFER', amount: '5', from_account_id: 'a', to_account_id: 'b' };
    const more = { contact_id, currency_id: 'USD', currency_rate: '83000' };
    expect(warningsOf('BANK_TRANSACTIONS', transfer)).toEqual([]);
    expect(warningsOf('BANK_TRANSACTIONS', { ...transfer, ...more })).toEqual(
      Object.keys(more).map((name) => `${name}: is not written: Xero does not store it for transfers`),
    );
    const spent = { ...transfer, ...more, type: 'SPEND', currency_rate: '2' };
    expect(warningsOf('BANK_TRANSACTIONS', spent)).toEqual([]);
  });

  test('and what an account does not have, which is not sent either', () => {
    const account = { name: 'Stock', nominal_code: '1', description: 'Till', currency_id: 'USD' };
    const sentOf = (item: object): unknown => {
      const form = masterPushes.find(({ definition }) => definition.dataModel === 'ACCOUNTS')?.create;
      const { value } = checkItem(form as WriteForm, item);
      return form?.toRequest(value ?? {}, {} as never).body;
    };
    const bank = { ...account, category: 'BANK' };
    expect(warningsOf('ACCOUNTS', bank)).toEqual([
      'description: is not written: Xero does not store it for bank accounts',
    ]);
    expect(sentOf(bank)).toEqual({ Name: 'Stock', Code: '1', Type: 'BANK', CurrencyCode: 'USD' });
    const other = { ...account, sub_category: 'INVENTORY' };
    expect(warningsOf('ACCOUNTS', other)).toEqual([
      'currency_id: is not written: Xero does not store it for accounts other than bank accounts',
    ]);
    expect(sentOf(other)).toEqual({ Name: 'Stock', Code: '1', Type: 'INVENTORY', Description: 'Till' });
  });

  test('a rate of a tax of more than four digits after the point', () => {
    const words = 'is stored as 12.5556: Xero stores 4 decimals';
    expect(warningsOf('TAX_RATES', { name: 'VAT', total_tax_rate: '12.55555' })).toEqual([
      `total_tax_rate: ${words}`,
    ]);
    const components = [
      { name: 'State', rate: '7.1234' },
      { name: 'City', rate: '12.55555' },
    ];
    expect(warningsOf('TAX_RATES', { name: 'VAT', components })).toEqual([`components[1].rate: ${words}`]);
  });

  test('a unit price of more digits than Xero keeps, which are two of orders', () => {
    const priced = (unit_amount: string) => ({ contact_id, line_items: [{ ...line_items[0], unit_amount }] });
    expect(warningsOf('BILLS', priced('0.01255'))).toEqual([
      'line_items[0].unit_amount: is stored as 0.0126: Xero stores 4 decimals',
    ]);
    expect(warningsOf('BILLS', priced('0.0125'))).toEqual([]);
    expect(warningsOf('PURCHASE_ORDERS', priced('0.0125'))).toEqual([
      'line_items[0].unit_amount: is stored as 0.01: Xero stores 2 decimals',
    ]);
    expect(warningsOf('ITEMS', { code: 'A', invoice_item: { unit_price: '1.00001' } })).toEqual([
      'invoice_item.unit_price: is stored as 1: Xero stores 4 decimals',
    ]);
  });

  test.each([
    ['10.005', '10.01'],
    ['0.001', '0'],
    ['10.10', null],
    ['10.1000', null],
  ])('an amount of %s is stored as %p', (amount, kept) => {
    const of = (name: string) =>
      kept === null ? [] : [`${name}: is stored as ${kept}: Xero stores 2 decimals`];
    const paid = { account_id: platform_id, amount };
    expect(warningsOf('INVOICE_PAYMENTS', { ...paid, invoice_id: 'a' })).toEqual(of('amount'));
    expect(warningsOf('BILL_PAYMENTS', { ...paid, bill_id: 'a' })).toEqual(of('amount'));
    const moved = { amount, from_account_id: 'a', to_account_id: 'b', contact_id };
    expect(warningsOf('BANK_TRANSACTIONS', { ...moved, type: 'SPEND' })).toEqual(of('amount'));
    const transfer = { ...moved, contact_id: undefined, type: 'TRANSFER' };
    expect(warningsOf('BANK_TRANSACTIONS', transfer)).toEqual(of('amount'));
    const journal_lines = [
      { account_id: 'rent', type: 'DEBIT', net_amount: amount },
      { account_id: 'owed', type: 'CREDIT', net_amount: amount },
    ];
    expect(warningsOf('JOURNAL_ENTRIES', { description: 'Rent', journal_lines })).toEqual(
      journal_lines.flatMap((_, index) => of(`journal_lines[${index}].net_amount`)),
    );
  });

  test('a quantity of more digits than Xero keeps', () => {
    const bought = (quantity: string) => ({ contact_id, line_items: [{ ...line_items[0], quantity }] });
    expect(warningsOf('BILLS', bought('0.33335'))).toEqual([
      'line_items[0].quantity: is stored as 0.3334: Xero stores 4 decimals',
    ]);
    expect(warningsOf('BILLS', bought('0.3333'))).toEqual([]);
  });

  test('a discount of fractions of a cent', () => {
    const sold = (total_discount: string) => ({
      contact_id,
      line_items: [{ ...line_items[0], total_discount }],
    });
    expect(warningsOf('INVOICES', sold('27.826'))).toEqual([
      'line_items[0].total_discount: is stored as 27.83: Xero stores 2 decimals',
    ]);
    expect(warningsOf('INVOICES', sold('27.82'))).toEqual([]);
  });
});

describe('a bank transaction', () => {
  const form = movementPushes.find(({ definition }) => definition.dataModel === 'BANK_TRANSACTIONS')?.create;
  const checkedOf = (raw_data: object, amount = '115') => {
    const item = { type: 'SPEND', amount, account_id: 'bank', contact_id: platform_id, raw_data };
    const { problem, warnings } = checkItem(form as WriteForm, { ...item, to_account_id: 'office' });
    return [problem?.path ?? null, problem?.words ?? null, warnings.map(({ words }) => words)];
  };
  const of = (...LineItems: unknown[]) => ({ LineItems });
  const kept = [null, null, []];
  const refused = (total: string) => [
    ['amount'],
    `It must be the total of the lines in raw_data, ${total}`,
    [],
  ];
  const words = 'is not written: Xero books the total of the lines in raw_data';

  test.each([
    [of({ UnitAmount: 100 }, { Quantity: 2, UnitAmount: 7.5 }), kept],
    [of({ UnitAmount: 100 }, { LineAmount: '15.00' }), kept],
    [of({ Quantity: 3, UnitAmount: 38.3333 }), kept],
    [of({ UnitAmount: 100 }), refused('100')],
    [of({ UnitAmount: 100 }, { UnitAmount: 20 }, { UnitAmount: -10 }), refused('110')],
    [of(), refused('0')],
    [{ ...of({ UnitAmount: 100 }), LineAmountTypes: 'NoTax' }, refused('100')],
    [{ ...of({ UnitAmount: 100, TaxAmount: 15 }), LineAmountTypes: 'Exclusive' }, kept],
    [{ ...of({ UnitAmount: 100, TaxAmount: 10 }), LineAmountTypes: 'Exclusive' }, refused('110')],
    [{ ...of({ UnitAmount: 100 }), LineAmountTypes: 'Exclusive' }, [null, null, [words]]],
    [of({ ItemCode: 'HOURS' }), [null, null, [words]]],
    [of('odd'), [null, null, [words]]],
  ])('has the amount that its own lines come to: %j', (raw_data, expected) => {
    expect(checkedOf(raw_data)).toEqual(expected);
  });

  test('may have an amount of more digits than its lines', () => {
    const words = 'is stored as 115: Xero stores 2 decimals';
    expect(checkedOf(of({ UnitAmount: 115 }), '115.001')).toEqual([null, null, [words]]);
  });

  test('whose one line is before tax is booked with more than its amount', () => {
    const words = 'is written as an amount without tax, to which Xero adds the tax of its account';
    expect(checkedOf({ LineAmountTypes: 'Exclusive' })).toEqual([null, null, [words]]);
    expect(checkedOf({ LineAmountTypes: 'NoTax' })).toEqual(kept);
  });
});

describe('a manual journal', () => {
  const form = movementPushes.find(({ definition }) => definition.dataModel === 'JOURNAL_ENTRIES')?.create;
  const journal = (tax_id: string | undefined, raw_data: object = {}) => ({
    description: 'Rent',
    raw_data,
    journal_lines: [
      { account_id: 'rent', type: 'DEBIT', net_amount: '100', tax_id },
      { account_id: 'owed', type: 'CREDIT', net_amount: '115' },
    ],
  });
  const wordsOf = (item: object) => checkItem(form as WriteForm, item).problem?.words;

  test('that balances with its taxes only is for Xero to judge, which reckons them', () => {
    expect(wordsOf(journal('INPUT2'))).toBeUndefined();
    expect(wordsOf(journal('INPUT2', { LineAmountTypes: 'Exclusive' }))).toBeUndefined();
  });

  test.each([
    [undefined, {}],
    ['NONE', { LineAmountTypes: 'NoTax' }],
    ['INPUT2', { LineAmountTypes: 'Inclusive' }],
  ])('to which Xero adds none has to balance: %p, %j', (taxId, raw_data) => {
    expect(wordsOf(journal(taxId, raw_data))).toContain('must balance: debits are 100, credits 115');
  });
});

describe('an object that Xero answers with 200, as in the examples of its description', () => {
  const pushes = [...documentPushes, ...masterPushes, ...movementPushes];
  const pushOf = (dataModel: string) => pushes.find(({ definition }) => definition.dataModel === dataModel);

  test.each([
    {
      dataModel: 'INVOICE_PAYMENTS',
      list: 'Payments',
      object: {
        PaymentID: '61ed71fc-01bf-4eb8-8419-8a18789ff45f',
        Status: 'AUTHORISED',
        Amount: 1,
        HasValidationErrors: true,
        ValidationErrors: [{ Message: 'Payment amount exceeds the amount outstanding on this document' }],
      },
    },
    {
      dataModel: 'ITEMS',
      list: 'Items',
      object: {
        ItemID: 'a4544d51-48f6-441f-a623-99ecbced6ab7',
        Code: 'abc65591',
        ValidationErrors: [{ Message: "Price List Item with Code 'abc' already exists" }],
      },
    },
    {
      dataModel: 'JOURNAL_ENTRIES',
      list: 'ManualJournals',
      object: {
        ManualJournalID: 'd312dd5e-a53e-46d1-9d51-c569ef4570b7',
        Status: 'DRAFT',
        Warnings: [
          { Message: "Account code '476' has been removed as it does not match a recognised account." },
        ],
        ValidationErrors: [{ Message: 'The total debits (100.00) must equal total credits (-10.00)' }],
      },
    },
  ])('is refused, alone and among others: $list', ({ dataModel, list, object }) => {
    const body = { Status: 'OK', [list]: [object] };
    expect(classifyXero({ method: 'PUT', status: 200, headers: {}, body })).toEqual({ kind: 'refused' });
    const request = { method: 'PUT', path: `/${list}`, body: { [list]: [{}] } } as const;
    const [result] = pushOf(dataModel)?.batch?.results(body, [request]) ?? [];
    expect(result).toMatchObject({ refused: { status: 400, body: { [list]: [object] } } });
  });

  test('is written with warnings where it is OK in spite of its errors', () => {
    const Message = 'An existing Credit Note with the specified CreditNoteID could not be found';
    const object = { StatusAttributeString: 'OK', ValidationErrors: [{ Message }] };
    const push = pushOf('INVOICE_CREDIT_NOTES');
    const request = { method: 'PUT', path: '/CreditNotes', body: { CreditNotes: [{}] } } as const;
    expect(push?.batch?.results({ CreditNotes: [object] }, [request])).toEqual([{ object }]);
    expect(push?.warned?.(object)).toEqual([{ words: `Xero says: ${Message}`, path: [] }]);
  });
});

test.each([
  [settingPushes, 'TRACKING_CATEGORIES', 'parentId'],
  [masterPushes, 'CONTACTS', 'platformId'],
])('a 404 is for the id in the path: %#', (pushes, dataModel, field) => {
  const push = pushes.find(({ definition }) => definition.dataModel === dataModel);
  const problem = push?.refusal({ status: 404, body: null, text: 'The resource cannot be found' });
  expect(problem).toMatchObject({ code: 'operation-denied', path: [field] });
});

test.each([
  ['PO Box 1, Roseneath, Floor 2', 'Roseneath'],
  ['PO Box 1, Roseneath, Floor 2, Desk 3', 'Roseneath'],
  ['1 Queen Street, Level 2', 'Level 2'],
  ['Level 2, 1 Queen Street', 'Level 2'],
  ['Roseneath', 'Roseneath'],
  ['1 Queen Street', undefined],
])('an address that was read is the same once it is written: %p, %p', (street, locality) => {
  const contacts = masterPushes.find(({ definition }) => definition.dataModel === 'CONTACTS')?.create;
  const addresses = [{ type: 'BILLING', street, locality, city: 'Wellington' }];
  const { Addresses } = sent(contacts, { name: 'Acme', addresses }, null, 'Contacts') ?? {};
  const [read] = toContact({ ContactID: 'acme', Addresses }).lines?.['addresses'] ?? [];
  expect(read?.values).toMatchObject({ street, locality: locality ?? null, city: 'Wellington' });
});
