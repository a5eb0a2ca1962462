import { randomUUID } from 'node:crypto';
import { CONTROL } from '../../postings.js';
import type { Change } from '../../store/change.js';
import { findByNumber } from '../../store/objects.js';
import type { BooksObject } from '../objects.js';
import { toStored } from '../stored.js';
import { moneyOf } from '../values.js';
import { BASE_CURRENCY } from './control.js';

/** Opens the account for exchange differences, which every new company has, if it is missing. */
export async function openExchange(change: Change): Promise<void> {
  const { exchange } = CONTROL;
  if (await findByNumber(change.client, change.account, 'LedgerAccounts', exchange)) return;
  const now = change.now.toISOString();
  const account: BooksObject & Readonly<Record<string, unknown>> = {
    Guid: randomUUID(),
    Number: exchange,
    Title: 'Exchange gains and losses',
    Notes: null,
    Class: 'costs',
    Group: 'other expense',
    State: 'open',
    Currency: BASE_CURRENCY,
    Balance: moneyOf(0, BASE_CURRENCY),
    ParentNumber: null,
    Bank: null,
    Reference: null,
    CreatedOn: now,
    ChangedOn: now,
  };
  await change.insert(toStored('LedgerAccounts', account));
}
