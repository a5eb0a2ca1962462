import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { allOfBooks, type PlatformCaller, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
let books: PlatformCaller;
let partner: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  books = await sandbox.caller('accounting', 'demo-1');
  const { body } = await books.send('POST', '/Partners', { Title: 'Abroad', Role: 'customer' });
  partner = body.Partners[0].Guid;
});
afterAll(() => sandbox.remove());

async function created(kind: string, body: object): Promise<any> {
  const answer = await books.send('POST', `/${kind}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body[kind][0];
}

async function changed(kind: string, { Guid }: any, body: object): Promise<any> {
  const answer = await books.send('PUT', `/${kind}/${Guid}`, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body[kind][0];
}

/** A document in US dollars. */
const dollars = (rate: string, price = '100.00', own: object = {}) => ({
  Partner: partner,
  Currency: 'USD',
  ExchangeRate: rate,
  Lines: [{ AccountNumber: '4100', Quantity: '1', UnitPrice: price }],
  ...own,
});
const paid = (amount: string, rate: string, own: object) => ({
  AccountNumber: '1010',
  Amount: amount,
  ExchangeRate: rate,
  ...own,
});

/** Debits less credits of entries in force, by account number. Fails if one does not balance. */
async function ledger(isWanted: (entry: any) => boolean = () => true): Promise<Map<string, Decimal>> {
  const sums = new Map<string, Decimal>();
  for (const entry of await allOfBooks(books, '/Journals')) {
    if (entry.State !== 'posted' || !isWanted(entry)) continue;
    let left = new Decimal(0);
    for (const { AccountNumber, Debit, Credit } of entry.Lines) {
      const amount = new Decimal(Debit?.Amount ?? 0).minus(Credit?.Amount ?? 0).times(entry.ExchangeRate);
      left = left.plus(amount);
      sums.set(AccountNumber, amount.plus(sums.get(AccountNumber) ?? 0));
    }
    expect([entry.Guid, left.toFixed(2)]).toEqual([entry.Guid, '0.00']);
  }
  return sums;
}

/** How the balances of accounts in the ledger change by some work, in debits less credits. */
async function moved(work: () => Promise<unknown>): Promise<Record<string, string>> {
  const before = await ledger();
  await work();
  const after = await ledger();
  const numbers = [...new Set([...before.keys(), ...after.keys()])].sort();
  return Object.fromEntries(
    numbers
      .map(
        (number) => [number, (after.get(number) ?? new Decimal(0)).minus(before.get(number) ?? 0)] as const,
      )
      .filter(([, amount]) => !amount.isZero())
      .map(([number, amount]) => [number, amount.toFixed(2)]),
  );
}

describe('exchange differences', () => {
  test('of an invoice paid at another rate are on 7900, and nothing is left on receivables', async () => {
    let receipt: any;
    let invoice: any;
    expect(
      await moved(async () => {
        invoice = await created('SalesInvoices', dollars('1.5'));
        receipt = await created('CustomerReceipts', paid('100', '1.6', { Invoice: invoice.Guid }));
      }),
    ).toEqual({ '1010': '160.00', '4100': '-150.00', '7900': '-10.00' });
    const { body } = await books.get(`/SalesInvoices/${invoice.Guid}`);
    expect(body.SalesInvoices[0].Settlements).toEqual([
      {
        By: receipt.Guid,
        Amount: { Amount: '100.00', Currency: 'USD' },
        InBase: { Amount: '150.00', Currency: 'AUD' },
      },
    ]);
    // Paid later at a rate that is entered wrongly first.
    expect(await moved(() => changed('CustomerReceipts', receipt, { ExchangeRate: '1.4' }))).toEqual({
      '1010': '-20.00',
      '7900': '20.00',
    });
    expect(await moved(() => changed('CustomerReceipts', receipt, { State: 'voided' }))).toEqual({
      '1010': '-140.00',
      '1100': '150.00',
      '7900': '-10.00',
    });
  });

  test('of a bill are the other way round', async () => {
    expect(
      await moved(async () => {
        const bill = await created('PurchaseBills', dollars('1.5', '100.00'));
        await created('SupplierPayments', paid('40', '1.6', { Bill: bill.Guid }));
        await created('SupplierPayments', paid('60', '1.6', { Bill: bill.Guid }));
      }),
    ).toEqual({ '1010': '-160.00', '4100': '150.00', '7900': '10.00' });
  });

  test('of a part come with the part', async () => {
    const invoice = await created('SalesInvoices', dollars('1.5'));
    const pay = (amount: string, rate: string) =>
      created('CustomerReceipts', paid(amount, rate, { Invoice: invoice.Guid }));
    expect(await moved(() => pay('50', '1.6'))).toEqual({
      '1010': '80.00',
      '1100': '-75.00',
      '7900': '-5.00',
    });
    expect(await moved(() => pay('50', '1.5'))).toEqual({ '1010': '75.00', '1100': '-75.00' });
  });

  test('of less than a cent are rounded away with the last part, whichever it is', async () => {
    let invoice: any;
    const pay = () => created('CustomerReceipts', paid('33.33', '1.5303', { Invoice: invoice.Guid }));
    const receivable = async () =>
      (
        await moved(async () => {
          invoice = await created('SalesInvoices', dollars('1.5303', '99.99'));
          const [first] = [await pay(), await pay(), await pay()];
          await changed('CustomerReceipts', first, { State: 'voided' });
          await pay();
        })
      )['1100'];
    expect(await receivable()).toBeUndefined();
  });

  test('of a credit note and what it settles are posted with it, and go when it gives that back', async () => {
    const invoice = await created('SalesInvoices', dollars('1.5'));
    let note: any;
    const applied = { Applied: [{ Invoice: invoice.Guid, Amount: '100.00' }] };
    expect(
      await moved(async () => (note = await created('SalesCreditNotes', dollars('1.6', '100.00', applied)))),
    ).toEqual({ '1100': '-150.00', '4100': '160.00', '7900': '-10.00' });
    expect(await moved(() => changed('SalesCreditNotes', note, { Applied: [] }))).toEqual({
      '1100': '-10.00',
      '7900': '10.00',
    });
    // By a receipt that moves no money, in parts.
    const settle = (amount: string) =>
      created('CustomerReceipts', paid(amount, '1.6', { Invoice: invoice.Guid, CreditNote: note.Guid }));
    let last: any;
    expect(
      await moved(async () => {
        await settle('30');
        last = await settle('70');
      }),
    ).toEqual({ '1100': '10.00', '7900': '-10.00' });
    expect(await moved(() => changed('CustomerReceipts', last, { State: 'voided' }))).toEqual({
      '1100': '-7.00',
      '7900': '7.00',
    });
  });

  test('of the refund of a credit note', async () => {
    expect(
      await moved(async () => {
        const note = await created('SupplierCredits', dollars('1.5'));
        await created('SupplierPayments', paid('100', '1.6', { CreditNote: note.Guid }));
      }),
    ).toEqual({ '1010': '160.00', '4100': '-150.00', '7900': '-10.00' });
  });

  test('keep their rate: that of what is settled in part cannot be changed', async () => {
    const invoice = await created('SalesInvoices', dollars('1.5'));
    await changed('SalesInvoices', invoice, { ExchangeRate: '1.55' });
    const receipt = await created('CustomerReceipts', paid('40', '1.6', { Invoice: invoice.Guid }));
    expect(
      await moved(async () => {
        const refused = await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { ExchangeRate: '1.7' });
        expect([refused.status, refused.body.Error?.Problems]).toEqual([
          422,
          [
            {
              Field: 'ExchangeRate',
              Code: 'Invalid',
              Message: 'ExchangeRate must stay 1.55, at which it is settled: void that first',
            },
          ],
        ]);
        await changed('SalesInvoices', invoice, { ExchangeRate: '1.550', Text: 'Thanks' });
      }),
    ).toEqual({});
    await changed('CustomerReceipts', receipt, { State: 'voided' });
    await changed('SalesInvoices', invoice, { ExchangeRate: '1.7' });
  });

  test('are posted in a company whose account for them is gone', async () => {
    const [account] = (await allOfBooks(books, '/LedgerAccounts')).filter((one) => one.Number === '7900');
    const other = 'without-differences';
    await sandbox.createCompany({
      ...{ id: other, name: 'Other', platforms: ['accounting'], seed: 1, trade: 'furniture', records: null },
    });
    await sandbox.control('POST', '/mutate', {
      ...{ account: other, platform: 'accounting', kind: 'LedgerAccounts', deletes: 1000 },
    });
    const own = await sandbox.caller('accounting', other);
    const post = async (kind: string, body: object) =>
      (await own.send('POST', `/${kind}`, body)).body[kind][0];
    for (const [Number, Class] of [
      ['1010', 'bank'],
      ['1100', 'assets'],
      ['4100', 'revenue'],
    ])
      await post('LedgerAccounts', { Number, Class, Title: Number });
    const customer = await post('Partners', { Title: 'Abroad', Role: 'customer' });
    const invoice = await post('SalesInvoices', { ...dollars('1.5'), Partner: customer.Guid });
    await post('CustomerReceipts', paid('100', '1.6', { Invoice: invoice.Guid }));
    const accounts = await allOfBooks(own, '/LedgerAccounts');
    const { Title, Class, Group } = account;
    expect(accounts.at(-1)).toMatchObject({
      ...{ Number: '7900', Title, Class, Group },
      Balance: { Amount: '-10.00', Currency: 'AUD' },
    });
  });
});

test.each([
  ['1100', 'SalesInvoices', 'CustomerReceipts', 'Invoice'],
  ['2100', 'PurchaseBills', 'SupplierPayments', 'Bill'],
])('nothing is left on %s of the %s that are settled at the start', async (number, kind, payments, field) => {
  const own = await allOfBooks(books, `/${payments}`);
  const settled = (await allOfBooks(books, `/${kind}`)).filter(({ Guid, State, Currency }) => {
    const isCredited = own.some((one) => one[field] === Guid && one.CreditNote !== null);
    return State === 'settled' && Currency !== 'AUD' && !isCredited;
  });
  expect(settled.length).toBeGreaterThan(0);
  for (const { Guid } of settled) {
    const sources = [Guid, ...own.filter((one) => one[field] === Guid).map((one) => one.Guid)];
    const sums = await ledger(({ Source }) => sources.includes(Source?.Guid));
    expect([Guid, sums.get(number)?.toFixed(2)]).toEqual([Guid, '0.00']);
  }
});

test('receivables and payables are what is left of documents, but for cents', async () => {
  const sums = await ledger();
  for (const [number, plus, minus] of [
    ['1100', 'SalesInvoices', 'SalesCreditNotes'],
    ['2100', 'PurchaseBills', 'SupplierCredits'],
  ] as const) {
    const papers = [...(await allOfBooks(books, `/${plus}`)), ...(await allOfBooks(books, `/${minus}`))];
    let left = new Decimal(0);
    let open = 0;
    for (const { State, Outstanding, Remaining, ExchangeRate, Currency } of papers) {
      if (State === 'draft' || State === 'voided') continue;
      const amount = new Decimal((Outstanding ?? Remaining).Amount).times(ExchangeRate);
      if (Currency !== 'AUD' && !amount.isZero()) open += 1;
      left = Outstanding ? left.plus(amount) : left.minus(amount);
    }
    const held = new Decimal(sums.get(number) ?? 0).times(number === '1100' ? 1 : -1);
    // Lines and payments in part are rounded, each to a cent.
    expect(left.minus(held).abs().toNumber()).toBeLessThan(0.03 * (open + 1));
  }
});

describe('an account in a foreign currency', () => {
  let number: string;
  let guid: string;
  beforeAll(async () => {
    const bank = await created('LedgerAccounts', {
      ...{ Title: 'Dollars', Class: 'bank', Currency: 'USD', Bank: { Institution: 'Harbour Bank' } },
    });
    ({ Number: number, Guid: guid } = bank);
    expect(bank.Balance).toEqual({ Amount: '0.00', Currency: 'USD' });
  });

  const balance = async () => {
    const { body } = await books.get(`/LedgerAccounts/${guid}`);
    const { Amount, Currency } = body.LedgerAccounts[0].Balance;
    expect(Currency).toBe('USD');
    return new Decimal(Amount);
  };
  /** How a write changes the balance, and the ledger in the base currency. */
  async function changes(work: () => Promise<unknown>): Promise<[string, string | undefined]> {
    const before = await balance();
    const { [number]: inBase } = await moved(work);
    return [(await balance()).minus(before).toFixed(2), inBase];
  }

  test('has its balance in it, while the ledger has the base currency', async () => {
    const invoice = await created('SalesInvoices', dollars('1.5'));
    let receipt: any;
    expect(
      await changes(async () => {
        const own = { Invoice: invoice.Guid, AccountNumber: number };
        receipt = await created('CustomerReceipts', paid('100', '1.6', own));
      }),
    ).toEqual(['100.00', '160.00']);
    expect(await changes(() => changed('CustomerReceipts', receipt, { ExchangeRate: '1.7' }))).toEqual([
      '0.00',
      '10.00',
    ]);
    expect(await changes(() => changed('CustomerReceipts', receipt, { State: 'voided' }))).toEqual([
      '-100.00',
      '-170.00',
    ]);
    const expense = dollars('1.5', '20.00', { AccountNumber: number });
    expect(await changes(() => created('Expenses', expense))).toEqual(['-20.00', '-30.00']);
    const { body } = await books.get('/Reports/TrialBalance?from=01.01.2026&to=31.12.2099');
    const line = body.Report.Sections[0].Lines.find(({ AccountNumber }: any) => AccountNumber === number);
    const held = (await ledger()).get(number);
    expect(line.Amount).toEqual({ Amount: held?.toFixed(2), Currency: 'AUD' });
  });

  test('takes money of another currency at its own rate', async () => {
    const [usd] = (await allOfBooks(books, '/Currencies')).filter(({ Code }) => Code === 'USD');
    const amount = new Decimal(100).div(usd.ExchangeRate).toFixed(2);
    const transfer = { Kind: 'transfer', Amount: '100', FromAccountNumber: '1010', ToAccountNumber: number };
    let movement: any;
    expect(await changes(async () => (movement = await created('BankMovements', transfer)))).toEqual([
      amount,
      '100.00',
    ]);
    expect(await changes(() => books.send('DELETE', `/BankMovements/${movement.Guid}`))).toEqual([
      `-${amount}`,
      '-100.00',
    ]);
  });

  test('is moved by journals, which are read and sent back', async () => {
    let journal: any;
    const body = {
      ...{ Currency: 'USD', ExchangeRate: '1.5' },
      Lines: [
        { AccountNumber: number, Debit: '30.00' },
        { AccountNumber: '4100', Credit: '30.00' },
      ],
    };
    expect(
      await changes(async () => {
        journal = await created('Journals', body);
        expect(journal.Lines.map((line: any) => line.InAccountCurrency)).toEqual([
          { Amount: '30.00', Currency: 'USD' },
          null,
        ]);
        const again = await changed('Journals', journal, journal);
        expect(again).toEqual({ ...journal, ChangedOn: expect.any(String) });
      }),
    ).toEqual(['30.00', '45.00']);
    expect(await changes(() => changed('Journals', journal, { State: 'voided' }))).toEqual([
      '-30.00',
      '-45.00',
    ]);
  });

  test('keeps its currency', async () => {
    const answer = await books.send('PUT', `/LedgerAccounts/${guid}`, { Currency: 'EUR' });
    expect([answer.status, answer.body.Error.Problems]).toEqual([
      422,
      [
        {
          Field: 'Currency',
          Code: 'Invalid',
          Message: 'Currency cannot be changed: open another account',
        },
      ],
    ]);
  });
});
