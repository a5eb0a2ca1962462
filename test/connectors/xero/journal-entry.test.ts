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
    ['DELETED', true],
    ['VOIDED', false],
    ['DRAFT', false],
  ])('in the state %s is deleted: %p', (Status, deleted) => {
    expect(toJournalEntry({ ...journal, Status }, lookups).deleted).toBe(deleted);
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

  test('has no currency as long as the base currency is unknown', () => {
    expect(toJournalEntry(journal, nothingKnown).values).toMatchObject({
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
