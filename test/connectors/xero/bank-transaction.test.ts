import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import * as mapper from '../../../src/connectors/xero/mappers/bank-transaction.js';
import { lookups, oddValues } from './lookups.js';

const toBankTransaction = (object: PlatformObject) => mapper.toBankTransaction(object, lookups);

const receipt = {
  BankTransactionID: 'tx-1',
  Type: 'RECEIVE',
  Status: 'AUTHORISED',
  BankAccount: { AccountID: 'bank', Code: '090' },
  Contact: { ContactID: 'acme' },
  DateString: '2026-03-14T00:00:00',
  SubTotal: 100,
  TotalTax: 15,
  Total: 115,
  CurrencyCode: 'USD',
  CurrencyRate: 0.625,
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};
const transfer = {
  BankTransferID: 'tr-1',
  FromBankAccount: { AccountID: 'bank' },
  ToBankAccount: { AccountID: 'savings' },
  FromBankTransactionID: 'tx-8',
  ToBankTransactionID: 'tx-9',
  Amount: 20,
  CurrencyRate: 1,
  Date: '/Date(1773446400000+0000)/',
  Status: 'AUTHORISED',
  CreatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero bank transaction', () => {
  test('is read field by field', () => {
    expect(toBankTransaction(receipt)).toEqual({
      platformId: 'tx-1',
      deleted: false,
      values: {
        accountId: 'bank',
        contactId: 'acme',
        currencyId: 'USD',
        currencyCode: 'USD',
        currencyRate: '1.6',
        amount: '115',
        debitOrCredit: 'CREDIT',
        type: 'RECEIVE',
        status: 'AUTHORISED',
        transactionDate: '2026-03-14',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
    });
  });

  test.each([
    ['RECEIVE-PREPAYMENT', 'CREDIT'],
    ['RECEIVE-TRANSFER', 'CREDIT'],
    ['SPEND', 'DEBIT'],
    ['SPEND-OVERPAYMENT', 'DEBIT'],
    ['NEWTYPE', null],
    [undefined, null],
  ])('of type %s is a %s', (Type, debitOrCredit) => {
    expect(toBankTransaction({ ...receipt, Type }).values.debitOrCredit).toBe(debitOrCredit);
  });

  test.each([
    ['NZD', '1'],
    ['USD', null],
  ])('without a rate in %s has the rate %p', (CurrencyCode, rate) => {
    const { values } = toBankTransaction({ ...receipt, CurrencyCode, CurrencyRate: undefined });
    expect(values.currencyRate).toBe(rate);
  });

  test.each([
    ['DELETED', 'DELETED', true],
    ['VOIDED', 'VOID', false],
  ])('in the state %s has the status %s and is deleted: %p', (Status, status, deleted) => {
    for (const object of [receipt, transfer]) {
      expect(toBankTransaction({ ...object, Status })).toMatchObject({ deleted, values: { status } });
    }
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(receipt).map((name) => [name, value]));
    expect(toBankTransaction({ ...odd, BankTransactionID: 'tx-1' }).platformId).toBe('tx-1');
  });

  test('cannot do without its id', () => {
    expect(() => toBankTransaction({})).toThrow('Xero sent a record without BankTransactionID');
  });
});

describe('a Xero bank transfer', () => {
  test('is a bank transaction between two accounts, neither debit nor credit', () => {
    expect(toBankTransaction(transfer)).toEqual({
      platformId: 'BankTransfer:tr-1',
      deleted: false,
      values: {
        fromAccountId: 'bank',
        toAccountId: 'savings',
        amount: '20',
        type: 'TRANSFER',
        status: 'AUTHORISED',
        transactionDate: '2026-03-14',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
    });
  });

  test('is deleted when Xero says so', () => {
    expect(toBankTransaction({ ...transfer, Status: 'DELETED' }).deleted).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(transfer).map((name) => [name, value]));
    expect(toBankTransaction({ ...odd, BankTransferID: 'tr-1' }).platformId).toBe('BankTransfer:tr-1');
  });

  test.each([null, ''])('is none with the id %p and that of a transaction', (BankTransferID) => {
    expect(toBankTransaction({ ...receipt, BankTransferID }).platformId).toBe('tx-1');
  });

  test.each([null, ''])('cannot do with the id %p', (BankTransferID) => {
    expect(() => toBankTransaction({ ...transfer, BankTransferID })).toThrow(
      'Xero sent a record without BankTransferID',
    );
  });
});
