import { describe, expect, test } from '@jest/globals';

import { toJournalEntry } from '../../../src/connectors/xero/mappers/journal-entry.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const debit = {
  AccountID: 'rent',
  AccountCode: '469',
  Description: 'Rent of May',
  LineAmount: 0.1,
  TaxType: 'NONE',
  TaxAmount: 0,
  Tracking: [{ TrackingCategoryID: 'region', TrackingOptionID: 'north' }],
  IsBlank: false,
};
const journal = {
  ManualJournalID: 'mj-1',
  Narration: 'Accruals of May',
  Date: '/Date(1773446400000+0000)/',
  Status: 'POSTED',
  LineAmountTypes: 'NoTax',
  ShowOnCashBasisReports: false,
  JournalLines: [
    debit,
    { AccountCode: '200', LineAmount: -0.3 },
    { AccountID: 'phone', LineAmount: '0.20' },
    { IsBlank: true },
    null,
  ],
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};
const linesOf = (JournalLines: unknown, known = lookups) =>
  toJournalEntry({ ...journal, JournalLines }, known).lines?.['journalLines'];

describe('a Xero manual journal', () => {
  test('is read field by field', () => {
    const record = toJournalEntry(journal, lookups);
    expect(record).toMatchObject({
      platformId: 'mj-1',
      deleted: false,
      unresolved: false,
      values: {
        amount: '0.3',
        currencyId: 'NZD',
        currencyCode: 'NZD',
        currencyRate: '1',
        description: 'Accruals of May',
        journalEntryType: 'accrual',
        postedDate: '2026-03-14',
        status: 'POSTED',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
    });
    expect(record.lines?.['journalLines']).toMatchObject([
      {
        platformId: null,
        values: {
          journalEntryId: 'mj-1',
          accountId: 'rent',
          accountCode: '469',
          description: 'Rent of May',
          type: 'DEBIT',
          netAmount: '0.1',
          taxAmount: '0',
          taxId: 'NONE',
          trackingCategoryIds: ['north'],
        },
      },
      { values: { accountId: 'sales', accountCode: '200', type: 'CREDIT', netAmount: '0.3' } },
      { values: { accountId: 'phone', accountCode: null, type: 'DEBIT', netAmount: '0.2' } },
    ]);
  });

  test.each([
    [true, 'both'],
    [false, 'accrual'],
    [undefined, null],
    ['true', null],
  ])('shown on cash basis reports: %p has the type %p', (ShowOnCashBasisReports, type) => {
    const record = toJournalEntry({ ...journal, ShowOnCashBasisReports }, lookups);
    expect(record.values.journalEntryType).toBe(type);
  });

  test.each([
    ['DRAFT', 'DRAFT', false],
    ['POSTED', 'POSTED', false],
    ['VOIDED', 'VOID', false],
    ['ARCHIVED', 'ARCHIVED', false],
    ['DELETED', 'VOID', true],
    ['SOMETHING', 'UNKNOWN', false],
    [undefined, 'UNKNOWN', false],
  ])('in the state %s has the status %s, deleted: %p', (Status, status, deleted) => {
    const record = toJournalEntry({ ...journal, Status }, lookups);
    expect([record.values.status, record.deleted]).toEqual([status, deleted]);
  });

  // Rent of 100 with a tax of 10, paid: as Xero sends the same journal in each of its forms.
  test.each([
    ['Inclusive', 110, -110],
    ['Exclusive', 100, -110],
  ])('%s of tax gives each line without its tax, and the amount with it', (LineAmountTypes, rent, paid) => {
    const JournalLines = [
      { AccountID: 'rent', LineAmount: rent, TaxType: 'INPUT2', TaxAmount: 10 },
      { AccountID: 'bank', LineAmount: paid, TaxType: 'NONE', TaxAmount: 0 },
    ];
    const record = toJournalEntry({ ...journal, LineAmountTypes, JournalLines }, lookups);
    expect(record.values.amount).toBe('110');
    expect(record.lines?.['journalLines']).toMatchObject([
      { values: { type: 'DEBIT', netAmount: '100', taxAmount: '10' } },
      { values: { type: 'CREDIT', netAmount: '110', taxAmount: '0' } },
    ]);
  });

  test('has the tax of a credit on the side of its line', () => {
    const JournalLines = [{ AccountID: 'sales', LineAmount: -110, TaxType: 'OUTPUT2', TaxAmount: -10 }];
    const { lines } = toJournalEntry({ ...journal, LineAmountTypes: 'Inclusive', JournalLines }, lookups);
    expect(lines?.['journalLines']).toMatchObject([
      { values: { type: 'CREDIT', netAmount: '100', taxAmount: '10' } },
    ]);
  });

  test('in a form that is not known has lines of an unknown amount', () => {
    const record = toJournalEntry({ ...journal, LineAmountTypes: 'Reversed' }, lookups);
    expect(record.values.amount).toBeNull();
    expect(record.lines?.['journalLines']?.[0]).toMatchObject({ values: { type: 'DEBIT', netAmount: null } });
  });

  test.each([
    [[], null],
    [undefined, null],
    [[{ LineAmount: 5 }, { LineAmount: 'odd' }], null],
    [[{ LineAmount: 0 }], '0'],
    [[{ LineAmount: -5 }], '0'],
  ])('with the lines %j has the amount %p', (JournalLines, amount) => {
    expect(toJournalEntry({ ...journal, JournalLines }, lookups).values.amount).toBe(amount);
  });

  test('has no currency as long as the base currency is unknown, and waits for it', () => {
    const known = { ...lookups, baseCurrency: null };
    expect(toJournalEntry(journal, known).unresolved).toBe(true);
    expect(toJournalEntry(journal, known).values).toMatchObject({
      currencyId: null,
      currencyCode: null,
      currencyRate: '1',
    });
  });

  test('keeps a code that stands for no known account and is unresolved', () => {
    expect(toJournalEntry(journal, nothingKnown).unresolved).toBe(true);
    expect(linesOf([{ AccountCode: '200' }], nothingKnown)).toMatchObject([
      { values: { accountId: null, accountCode: '200' } },
    ]);
  });

  test.each([
    [0, null, '0'],
    [null, null, null],
  ])('has a line of %p with the side %p and the amount %p', (LineAmount, type, netAmount) => {
    expect(linesOf([{ ...debit, LineAmount }])).toMatchObject([{ values: { type, netAmount } }]);
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(journal).map((name) => [name, value]));
    const oddLine = Object.fromEntries(Object.keys(debit).map((name) => [name, value]));
    expect(toJournalEntry({ ...odd, ManualJournalID: 'mj-1' }, lookups).platformId).toBe('mj-1');
    expect(linesOf([{ ...oddLine, IsBlank: false }])).toHaveLength(1);
  });

  test('cannot do without its id', () => {
    expect(() => toJournalEntry({}, lookups)).toThrow('Xero sent a record without ManualJournalID');
  });
});
