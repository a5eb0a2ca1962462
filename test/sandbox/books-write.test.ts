import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { allOfBooks, type PlatformCaller, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
let books: PlatformCaller;
let partner: any;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  books = await sandbox.caller('accounting', 'demo-1');
  const { body } = await books.send('POST', '/Partners', { Title: 'Test Partner', Role: 'customer' });
  partner = body.Partners[0];
});
afterAll(() => sandbox.remove());

const problemsOf = ({ body }: { body: any }) =>
  body.Error.Problems.map(({ Field, Code }: any) => `${Field} ${Code}`);
const money = (amount: string) => ({ Amount: amount, Currency: 'AUD' });

async function created(kind: string, body: object): Promise<any> {
  const answer = await books.send('POST', `/${kind}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const [object] = answer.body[kind];
  // What was written is there at once, exactly as it was answered.
  expect((await books.get(`/${kind}/${object.Guid}`)).body[kind]).toEqual([object]);
  return object;
}

const invoiceBody = (changes: object = {}) => ({
  Partner: { Guid: partner.Guid },
  Lines: [
    { AccountNumber: '4100', TaxCode: 'AU-GST', Quantity: '2', UnitPrice: money('50.00'), Discount: '10' },
    { ProductSku: 'LMP-01', Quantity: 1, UnitPrice: '49.90', Text: 'A lamp' },
  ],
  ...changes,
});

describe('POST /accounting/api/2/{Kind}', () => {
  test('a journal is numbered, totalled and posted', async () => {
    const journal = await created('Journals', {
      Date: '03.11.2026',
      Text: 'Rent',
      Reference: 'mark-journal',
      Lines: [
        { AccountNumber: '6100', Debit: '100.00', TaxCode: 'AU-GST', Tax: '10' },
        { AccountNumber: '1010', Credit: money('100.00'), Partner: partner.Guid },
      ],
    });
    expect(journal).toMatchObject({
      Number: expect.stringMatching(/^JNL-\d{4}$/),
      Date: '03.11.2026',
      State: 'posted',
      Nature: 'standard',
      Total: money('100.00'),
    });
    expect(journal.Lines[1]).toMatchObject({ Debit: null, Credit: money('100.00'), Partner: partner.Guid });
    expect((await books.get('/Journals?reference=mark-journal')).body.Journals).toEqual([journal]);
  });

  test('an unbalanced journal is refused, and its lines are named', async () => {
    const answer = await books.send('POST', '/Journals', {
      Lines: [
        { AccountNumber: '6100', Debit: '100.00' },
        { AccountNumber: '1010', Credit: '90.00' },
      ],
    });
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual(['Lines Unbalanced']);
  });

  test('every mistake of a body is named at once', async () => {
    const answer = await books.send('POST', '/Journals', {
      Colour: 'red',
      Date: '2026-11-03',
      Lines: [
        { AccountNumber: '9999', Debit: '1', Shade: 1 },
        { Credit: 'much', TaxCode: 'NOPE' },
      ],
    });
    expect(problemsOf(answer).sort()).toEqual(
      [
        'Colour UnknownField',
        'Date Invalid',
        'Lines[0].AccountNumber UnknownAccount',
        'Lines[0].Shade UnknownField',
        'Lines[1].AccountNumber Required',
        'Lines[1].Credit Invalid',
        'Lines[1].Debit Invalid',
        'Lines[1].TaxCode UnknownTaxCode',
      ].sort(),
    );
  });

  test('an invoice gets its totals, and the account of its product', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    expect(invoice).toMatchObject({
      State: 'sent',
      Partner: { Guid: partner.Guid, Title: 'Test Partner' },
      LinesTotal: money('149.90'),
      DiscountTotal: money('10.00'),
      TaxTotal: money('9.00'),
      GrandTotal: money('148.90'),
      Outstanding: money('148.90'),
    });
    expect(invoice.Lines[1].AccountNumber).toBe('4100');
  });

  test('a discount is rounded to cents, like all amounts of a line', async () => {
    const Lines = [
      { AccountNumber: '4100', TaxCode: 'AU-GST', Quantity: '1', UnitPrice: '80', Discount: '0.333' },
    ];
    const invoice = await created('SalesInvoices', invoiceBody({ Lines }));
    expect(invoice.Lines[0]).toMatchObject({ Discount: money('0.33'), Tax: money('7.97') });
    expect(invoice).toMatchObject({ DiscountTotal: money('0.33'), Outstanding: money('87.64') });
    const whole = { Invoice: invoice.Guid, AccountNumber: '1010', Amount: '87.64' };
    await created('CustomerReceipts', whole);
    const { body } = await books.get(`/SalesInvoices/${invoice.Guid}`);
    expect(body.SalesInvoices[0].State).toBe('settled');
  });

  test('a number can be used once in its kind', async () => {
    await created('SalesInvoices', invoiceBody({ Number: 'MINE-1' }));
    expect(problemsOf(await books.send('POST', '/SalesInvoices', invoiceBody({ Number: 'MINE-1' })))).toEqual(
      ['Number DuplicateNumber'],
    );
    await created('PurchaseBills', invoiceBody({ Number: 'MINE-1' }));
    const sku = await books.send('POST', '/Products', { Sku: 'LMP-01', Title: 'Another lamp' });
    expect(problemsOf(sku)).toEqual(['Sku DuplicateNumber']);
  });

  test.each([
    ['LedgerAccounts', { Number: '7777', Title: 'Testing', Class: 'costs', ParentNumber: '6000' }],
    [
      'Products',
      {
        Sku: 'NEW-1',
        Title: 'New',
        Selling: { Price: '10.00', AccountNumber: '4100', TaxCode: 'AU-GST', Text: null },
      },
    ],
    [
      'Partners',
      {
        Title: 'A',
        Role: 'supplier',
        Addresses: [{ Use: 'invoice', Town: 'Hobart' }],
        Phones: [{ Use: 'mobile', Number: '1' }],
        Emails: ['a@b.example'],
      },
    ],
    ['BankMovements', { Kind: 'spend', Amount: '12.5', FromAccountNumber: '1010', ToAccountNumber: '6100' }],
  ])('creates %s', async (kind, body) => {
    await created(kind, body);
  });

  test.each(['SalesOrders', 'PurchaseOrders', 'SalesCreditNotes', 'SupplierCredits', 'PurchaseBills'])(
    'creates %s',
    async (kind) => {
      await created(kind, invoiceBody());
    },
  );

  test('creates Expenses without a partner', async () => {
    const expense = await created('Expenses', {
      AccountNumber: '1010',
      Lines: [{ AccountNumber: '6400', Quantity: '1', UnitPrice: '80.00' }],
    });
    expect(expense).toMatchObject({
      State: 'booked',
      PaymentMeans: 'bank transfer',
      GrandTotal: money('80.00'),
    });
  });

  test('an exchange rate is above 0', async () => {
    const invoice = invoiceBody({ ExchangeRate: '0' });
    expect(problemsOf(await books.send('POST', '/SalesInvoices', invoice))).toEqual(['ExchangeRate Invalid']);
  });

  test('the exchange rate of the base currency is 1', async () => {
    const move = { Kind: 'spend', Amount: '1', FromAccountNumber: '1010', ToAccountNumber: '6100' };
    const Lines = [
      { AccountNumber: '6100', Debit: '1' },
      { AccountNumber: '1010', Credit: '1' },
    ];
    const { Guid: Invoice } = await created('SalesInvoices', invoiceBody({ ExchangeRate: '1.00' }));
    for (const [kind, body] of [
      ['SalesInvoices', invoiceBody()],
      ['CustomerReceipts', { Invoice, AccountNumber: '1010', Amount: '1.00' }],
      ['BankMovements', move],
      ['Journals', { Lines }],
    ] as const) {
      const answer = await books.send('POST', `/${kind}`, { ...body, ExchangeRate: '1.1' });
      expect([kind, answer.status]).toEqual([kind, 422]);
      expect(problemsOf(answer)).toEqual(['ExchangeRate Invalid']);
    }
    const refused = await books.send('PUT', `/SalesInvoices/${Invoice}`, { ExchangeRate: '2' });
    expect(problemsOf(refused)).toEqual(['ExchangeRate Invalid']);
  });

  test('kinds without writes say so', async () => {
    const answer = await books.send('POST', '/Currencies', { Code: 'X' });
    expect([answer.status, answer.body.Error.Code]).toEqual([405, 'NotSupported']);
  });

  test('orders list the invoices that follow them', async () => {
    const order = await created('SalesOrders', invoiceBody());
    const invoice = await created('SalesInvoices', invoiceBody({ SalesOrders: [order.Guid] }));
    const { body } = await books.get(`/SalesOrders/${order.Guid}`);
    expect(body.SalesOrders[0].Invoices).toEqual([invoice.Guid]);
    expect(body.SalesOrders[0].ChangedOn > order.ChangedOn).toBe(true);
  });

  test.each([
    ['SalesInvoices', 'SalesOrders', 'Invoices'],
    ['PurchaseBills', 'PurchaseOrders', 'Bills'],
  ])('%s that follow other %s from now on are listed with those', async (kind, orderKind, followers) => {
    const [one, other] = [await created(orderKind, invoiceBody()), await created(orderKind, invoiceBody())];
    const { Guid } = await created(kind, invoiceBody({ [orderKind]: [one.Guid] }));
    const listed = async (order: any) =>
      (await books.get(`/${orderKind}/${order.Guid}`)).body[orderKind][0][followers];
    const put = async (orders: any[]) => {
      const body = { [orderKind]: orders.map((order) => order.Guid) };
      expect((await books.send('PUT', `/${kind}/${Guid}`, body)).status).toBe(200);
      return [await listed(one), await listed(other)];
    };
    expect(await put([other, one])).toEqual([[Guid], [Guid]]);
    expect(await put([other])).toEqual([[], [Guid]]);
    expect((await books.send('PUT', `/${kind}/${Guid}`, { Text: 'Thanks' })).status).toBe(200);
    expect([await listed(one), await listed(other)]).toEqual([[], [Guid]]);
    const draft = await created(kind, invoiceBody({ State: 'draft', [orderKind]: [one.Guid] }));
    expect(await listed(one)).toEqual([draft.Guid]);
    expect((await books.send('DELETE', `/${kind}/${draft.Guid}`)).status).toBe(204);
    expect(await listed(one)).toEqual([]);
  });
});

describe('receipts', () => {
  const receipt = (invoice: any, amount: string) => ({
    Invoice: invoice.Guid,
    AccountNumber: '1010',
    Amount: money(amount),
  });
  const stateOf = async (invoice: any) => {
    const { State, Outstanding } = (await books.get(`/SalesInvoices/${invoice.Guid}`)).body.SalesInvoices[0];
    return [State, Outstanding.Amount];
  };

  test('settle an invoice; voided, they give it back', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    await created('CustomerReceipts', receipt(invoice, '48.90'));
    expect(await stateOf(invoice)).toEqual(['part-settled', '100.00']);
    expect(problemsOf(await books.send('POST', '/CustomerReceipts', receipt(invoice, '100.01')))).toEqual([
      'Amount AmountTooHigh',
    ]);
    const last = await created('CustomerReceipts', receipt(invoice, '100.00'));
    expect(await stateOf(invoice)).toEqual(['settled', '0.00']);
    const voided = await books.send('PUT', `/CustomerReceipts/${last.Guid}`, { State: 'voided' });
    expect(voided.body.CustomerReceipts[0].State).toBe('voided');
    expect(await stateOf(invoice)).toEqual(['part-settled', '100.00']);
    const again = await books.send('PUT', `/CustomerReceipts/${last.Guid}`, { Text: 'x' });
    expect([again.status, again.body.Error.Code]).toEqual([409, 'Voided']);
  });

  test('a credit note settles an invoice when it is applied', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const note = await created(
      'SalesCreditNotes',
      invoiceBody({ Applied: [{ Invoice: invoice.Guid, Amount: '100.00' }] }),
    );
    expect([note.State, note.Remaining.Amount]).toEqual(['part-used', '48.90']);
    expect(await stateOf(invoice)).toEqual(['part-settled', '48.90']);
    const receiptBody = {
      Invoice: invoice.Guid,
      CreditNote: note.Guid,
      AccountNumber: '1100',
      Amount: '48.90',
    };
    await created('CustomerReceipts', { ...receiptBody, PaymentMeans: 'credit' });
    expect(await stateOf(invoice)).toEqual(['settled', '0.00']);
    const { body } = await books.get(`/SalesCreditNotes/${note.Guid}`);
    expect(body.SalesCreditNotes[0]).toMatchObject({
      State: 'used',
      Remaining: money('0.00'),
      Applied: [{ Invoice: invoice.Guid, Amount: money('148.90') }],
    });
  });

  test('a draft of a credit note settles nothing until it is opened, and gives it back as a draft again', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const applied = [{ Invoice: invoice.Guid, Amount: '100.00' }];
    const note = await created('SalesCreditNotes', invoiceBody({ State: 'draft', Applied: applied }));
    expect([note.State, note.Remaining.Amount]).toEqual(['draft', '148.90']);
    expect(await stateOf(invoice)).toEqual(['sent', '148.90']);
    const put = async (State: string) => {
      const { body } = await books.send('PUT', `/SalesCreditNotes/${note.Guid}`, { State });
      const [{ State: state, Remaining }] = body.SalesCreditNotes;
      return [state, Remaining.Amount];
    };
    expect(await put('open')).toEqual(['part-used', '48.90']);
    expect(await stateOf(invoice)).toEqual(['part-settled', '48.90']);
    expect(await put('draft')).toEqual(['draft', '148.90']);
    expect(await stateOf(invoice)).toEqual(['sent', '148.90']);
    expect((await books.send('DELETE', `/SalesCreditNotes/${note.Guid}`)).status).toBe(204);
    expect(await stateOf(invoice)).toEqual(['sent', '148.90']);
  });

  test('what a receipt settles by a credit note is given back by voiding it, and once', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const own = { Invoice: invoice.Guid, Amount: '30.00' };
    const note = await created('SalesCreditNotes', invoiceBody({ Applied: [own] }));
    const both = { Invoice: invoice.Guid, CreditNote: note.Guid, AccountNumber: '1100', Amount: '50.00' };
    const by = await created('CustomerReceipts', both);
    const put = (body: object) => books.send('PUT', `/SalesCreditNotes/${note.Guid}`, body);
    const draft = await put({ State: 'draft' });
    expect([draft.status, draft.body.Error?.Code]).toEqual([409, 'InUse']);
    for (const Applied of [[], [{ ...own, Amount: '49.99' }]]) {
      const refused = await put({ Applied });
      expect([refused.status, refused.body.Error?.Problems]).toEqual([
        422,
        [
          {
            Field: 'Applied',
            Code: 'Invalid',
            Message: `Applied must have at least 50.00 for ${invoice.Guid}, settled by a receipt or payment: void that first`,
          },
        ],
      ]);
    }
    expect(await stateOf(invoice)).toEqual(['part-settled', '68.90']);
    expect((await put({ Applied: [{ ...own, Amount: '50.00' }] })).status).toBe(200);
    expect(await stateOf(invoice)).toEqual(['part-settled', '98.90']);
    expect((await books.send('PUT', `/CustomerReceipts/${by.Guid}`, { State: 'voided' })).status).toBe(200);
    expect(await stateOf(invoice)).toEqual(['sent', '148.90']);
    expect((await put({ State: 'draft' })).body.SalesCreditNotes[0]).toMatchObject({
      State: 'draft',
      Remaining: money('148.90'),
      Applied: [],
    });
  });

  test('no more is given back than was settled', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const { Guid } = await created('CustomerReceipts', receipt(invoice, '48.90'));
    await sandbox.query(
      `UPDATE objects SET body = replace(body, '"Outstanding":{"Amount":"100.00"', '"Outstanding":{"Amount":"148.90"')
       WHERE id = $1`,
      [invoice.Guid],
    );
    const refused = await books.send('PUT', `/CustomerReceipts/${Guid}`, { State: 'voided' });
    expect([refused.status, refused.body.Error?.Problems]).toEqual([
      422,
      [
        {
          Field: 'State',
          Code: 'AmountTooHigh',
          Message: `only 0.00 of ${invoice.Number} is settled and can be given back`,
        },
      ],
    ]);
  });

  test('a change of currency takes its rate, unless something is settled', async () => {
    const [usd] = (await allOfBooks(books, '/Currencies')).filter(({ Code }) => Code === 'USD');
    const invoice = await created('SalesInvoices', invoiceBody());
    const Lines = [{ AccountNumber: '4100', Quantity: '1', UnitPrice: '100.00' }];
    const put = (body: object) => books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { Lines, ...body });
    const changed = await put({ Currency: 'USD' });
    expect(changed.body.SalesInvoices[0]).toMatchObject({ Currency: 'USD', ExchangeRate: usd.ExchangeRate });
    const own = await put({ Currency: 'USD', ExchangeRate: '1.25' });
    expect(own.body.SalesInvoices[0].ExchangeRate).toBe('1.25');
    expect((await put({ Text: 'Thanks' })).body.SalesInvoices[0].ExchangeRate).toBe('1.25');
    await created('CustomerReceipts', { Invoice: invoice.Guid, AccountNumber: '1010', Amount: '10.00' });
    const refused = await put({ Currency: 'AUD' });
    expect([refused.status, refused.body.Error]).toMatchObject([
      409,
      {
        Code: 'InUse',
        Message: 'Currency: what is settled in part stays in USD: void what settles it',
      },
    ]);
    const voided = await put({ State: 'voided' });
    expect([voided.status, voided.body.Error]).toMatchObject([
      409,
      {
        Code: 'InUse',
        Message: 'State: what is settled in part cannot be voided: void what settles it',
      },
    ]);
  });

  test('what is settled in part does not become a draft', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    await created('CustomerReceipts', receipt(invoice, '48.90'));
    const refused = await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { State: 'draft' });
    expect([refused.status, refused.body.Error.Code]).toEqual([409, 'InUse']);
    const note = await created('SalesCreditNotes', invoiceBody());
    const refund = { CreditNote: note.Guid, AccountNumber: '1010', Amount: '10.00' };
    await created('CustomerReceipts', refund);
    expect((await books.send('PUT', `/SalesCreditNotes/${note.Guid}`, { State: 'draft' })).status).toBe(409);
    expect(await stateOf(invoice)).toEqual(['part-settled', '100.00']);
  });

  test('a credit note settles invoices of its own currency only', async () => {
    const Lines = [{ AccountNumber: '4100', Quantity: '1', UnitPrice: '100.00' }];
    const { Guid: Invoice } = await created('SalesInvoices', invoiceBody({ Currency: 'USD', Lines }));
    const Applied = [{ Invoice, Amount: '10.00' }];
    expect(problemsOf(await books.send('POST', '/SalesCreditNotes', invoiceBody({ Applied })))).toEqual([
      'Applied[0].Invoice Invalid',
    ]);
    const { Guid: CreditNote } = await created('SalesCreditNotes', invoiceBody());
    const both = { Invoice, CreditNote, AccountNumber: '1100', Amount: '10.00' };
    expect(problemsOf(await books.send('POST', '/CustomerReceipts', both))).toEqual(['CreditNote Invalid']);
  });

  test('a draft of a credit note is not opened for an invoice whose currency has changed since', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const Applied = [{ Invoice: invoice.Guid, Amount: '10.00' }];
    const draft = await created('SalesCreditNotes', invoiceBody({ State: 'draft', Applied }));
    const Lines = [{ AccountNumber: '4100', Quantity: '1', UnitPrice: '100.00' }];
    const abroad = await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { Currency: 'USD', Lines });
    expect(abroad.status).toBe(200);
    const open = await books.send('PUT', `/SalesCreditNotes/${draft.Guid}`, { State: 'open' });
    expect([open.status, open.body.Error?.Problems]).toEqual([
      422,
      [
        {
          Field: 'Applied',
          Code: 'Invalid',
          Message: `Applied must be of documents in AUD: ${invoice.Number} is in USD`,
        },
      ],
    ]);
    expect(await stateOf(invoice)).toEqual(['sent', '100.00']);
  });

  test('a credit note applies more than nothing', async () => {
    const { Guid: Invoice } = await created('SalesInvoices', invoiceBody());
    const body = invoiceBody({ Applied: [{ Invoice, Amount: '0' }] });
    expect(problemsOf(await books.send('POST', '/SalesCreditNotes', body))).toEqual([
      'Applied[0].Amount Invalid',
    ]);
  });
});

describe('the ledger', () => {
  const entryOf = async (guid: string) =>
    (await allOfBooks(books, '/Journals')).find(({ Source }) => Source?.Guid === guid);
  const moves = ({ Lines }: any) =>
    Lines.map(({ AccountNumber, Debit, Credit }: any) => [
      AccountNumber,
      Debit?.Amount ?? `-${Credit.Amount}`,
    ]).sort();

  test('follows what is written: posted, changed, settled, voided', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const entry = await entryOf(invoice.Guid);
    const total = invoice.GrandTotal.Amount;
    expect(moves(entry)).toContainEqual(['1100', total]);
    expect(entry).toMatchObject({ State: 'posted', Date: invoice.Date, Number: invoice.Number });
    const refused = await books.send('PUT', `/Journals/${entry.Guid}`, { Text: 'Mine' });
    expect([refused.status, refused.body.Error.Code]).toEqual([409, 'InUse']);
    expect((await books.send('DELETE', `/Journals/${entry.Guid}`)).status).toBe(409);

    await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { Text: 'Thanks' });
    expect(await entryOf(invoice.Guid)).toEqual(entry);
    await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { Date: '05.11.2026' });
    expect(await entryOf(invoice.Guid)).toMatchObject({ Guid: entry.Guid, Date: '05.11.2026' });

    const amount = { Amount: { Amount: '10.00', Currency: invoice.Currency }, AccountNumber: '1010' };
    const receipt = await created('CustomerReceipts', { Invoice: invoice.Guid, ...amount });
    expect(moves(await entryOf(receipt.Guid))).toEqual([
      ['1010', '10.00'],
      ['1100', '-10.00'],
    ]);
    await books.send('PUT', `/CustomerReceipts/${receipt.Guid}`, { State: 'voided' });
    expect((await entryOf(receipt.Guid)).State).toBe('voided');

    // A credit note that settles the invoice brings no money.
    const note = await created('SalesCreditNotes', invoiceBody());
    const both = { Invoice: invoice.Guid, CreditNote: note.Guid, ...amount };
    expect(await entryOf((await created('CustomerReceipts', both)).Guid)).toBeUndefined();

    const draft = await created('SalesInvoices', { ...invoiceBody(), State: 'draft' });
    expect(await entryOf(draft.Guid)).toBeUndefined();
    await books.send('PUT', `/SalesInvoices/${draft.Guid}`, { State: 'sent' });
    expect(await entryOf(draft.Guid)).toBeDefined();
  });

  test('is the same whether a document was there at the start or is written again', async () => {
    const before = await allOfBooks(books, '/Journals');
    for (const kind of [
      'SalesInvoices',
      'SalesCreditNotes',
      'PurchaseBills',
      'SupplierCredits',
      'Expenses',
    ]) {
      const objects = (await allOfBooks(books, `/${kind}`)).filter(({ State }) => State !== 'voided');
      for (const { Guid } of objects.filter((_, index) => index % 4 === 1)) {
        const { status } = await books.send('PUT', `/${kind}/${Guid}`, { Text: 'Written again' });
        expect([kind, status]).toEqual([kind, 200]);
      }
    }
    expect(await allOfBooks(books, '/Journals')).toEqual(before);
  });

  /** What entries in force come to, and what accounts say that they hold, both in debits less credits by number. */
  async function balances() {
    const entered = new Map<string, Decimal>();
    for (const { State, Lines, ExchangeRate } of await allOfBooks(books, '/Journals')) {
      for (const { AccountNumber, Debit, Credit } of State === 'posted' ? Lines : []) {
        const amount = new Decimal(Debit?.Amount ?? 0).minus(Credit?.Amount ?? 0).times(ExchangeRate);
        entered.set(AccountNumber, amount.toDecimalPlaces(2).plus(entered.get(AccountNumber) ?? 0));
      }
    }
    const accounts = await allOfBooks(books, '/LedgerAccounts');
    const held = accounts.map(({ Number: number, Class, Balance }) => {
      const isDebit = ['assets', 'bank', 'costs'].includes(Class);
      return [
        number,
        new Decimal(Balance.Amount)
          .times(isDebit ? 1 : -1)
          .plus(0)
          .toFixed(2),
      ];
    });
    return {
      entered,
      expected: accounts.map(({ Number: number }) => [
        number,
        (entered.get(number) ?? new Decimal(0)).toFixed(2),
      ]),
      held,
    };
  }

  const journalBody = (debit: string, credit: string, amount: string, currency: object = {}) => ({
    ...currency,
    Lines: [
      { AccountNumber: debit, Debit: amount },
      { AccountNumber: credit, Credit: amount },
    ],
  });

  test('balances, and is what the accounts hold after every write', async () => {
    const { entered, expected, held } = await balances();
    expect(held).toEqual(expected);
    expect([...entered.values()].reduce((sum, one) => sum.plus(one), new Decimal(0)).toFixed(2)).toBe('0.00');
    expect(entered.size).toBeGreaterThan(20);

    const [before] = (await allOfBooks(books, '/LedgerAccounts')).filter(({ Number: one }) => one === '6100');
    const abroad = { Currency: 'USD', ExchangeRate: '1.53055' };
    const rent = await created('Journals', journalBody('6100', '1010', '33.33', abroad));
    const kept = await created('Journals', journalBody('6200', '4100', '70.00'));
    const gone = await created('Journals', journalBody('6300', '1020', '12.00'));
    const [after] = (await allOfBooks(books, '/LedgerAccounts')).filter(({ Number: one }) => one === '6100');
    expect(new Decimal(after.Balance.Amount).minus(before.Balance.Amount).toFixed(2)).toBe('51.01');
    // The account itself is as it was.
    expect(after).toEqual({ ...before, Balance: after.Balance });
    const since = new Date(Date.parse(rent.ChangedOn)).toISOString();
    const modified = (await allOfBooks(books, `/LedgerAccounts?modifiedSince=${since}`)).map(
      ({ Number: one }) => one,
    );
    expect(modified).toEqual(expect.arrayContaining(['1010', '6100', '6200', '4100', '6300', '1020']));

    await books.send('PUT', `/Journals/${kept.Guid}`, journalBody('6200', '4200', '80.00'));
    await books.send('PUT', `/Journals/${rent.Guid}`, { State: 'voided' });
    await books.send('DELETE', `/Journals/${gone.Guid}`);
    const invoice = await created('SalesInvoices', invoiceBody());
    await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { State: 'voided' });
    const own = { Number: '1777', Title: 'Turned round', Class: 'assets' };
    const account = await created('LedgerAccounts', own);
    await created('Journals', journalBody('1777', '1010', '5.00'));
    await books.send('PUT', `/LedgerAccounts/${account.Guid}`, { Class: 'liabilities' });
    await sandbox.control('POST', '/mutate', {
      account: 'demo-1',
      platform: 'accounting',
      deletes: 12,
      voids: 6,
    });
    const later = await balances();
    expect(later.held).toEqual(later.expected);
    expect(later.held).toContainEqual(['1777', '5.00']);
  });

  test('balances where the lines of a journal are rounded to more or less than nothing', async () => {
    const sum = async () =>
      (await balances()).held.reduce((total, [, amount]) => total.plus(amount), new Decimal(0)).toFixed(2);
    const before = await sum();
    const journal = await created('Journals', {
      Currency: 'USD',
      ExchangeRate: '1.5305',
      Lines: [
        { AccountNumber: '6100', Debit: '1.00' },
        { AccountNumber: '1010', Credit: '0.50' },
        { AccountNumber: '1020', Credit: '0.50' },
      ],
    });
    expect(await sum()).toBe(before);
    await books.send('DELETE', `/Journals/${journal.Guid}`);
    expect(await sum()).toBe(before);

    // Each line is within a cent, however many there are.
    const own = { Number: '1778', Title: 'The last', Class: 'assets' };
    const last = await created('LedgerAccounts', own);
    await created('Journals', {
      Currency: 'USD',
      ExchangeRate: '1.5',
      Lines: [
        ...Array.from({ length: 20 }, () => ({ AccountNumber: '6100', Debit: '0.01' })),
        { AccountNumber: '1778', Credit: '0.20' },
      ],
    });
    const { body } = await books.get(`/LedgerAccounts/${last.Guid}`);
    expect(body.LedgerAccounts[0].Balance.Amount).toBe('-0.30');
    expect(await sum()).toBe(before);
  });
});

describe('PUT and DELETE', () => {
  test('change the given fields and keep the others', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const { status, body } = await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { Text: 'Thanks' });
    expect(status).toBe(200);
    const [changed] = body.SalesInvoices;
    expect(changed).toEqual({ ...invoice, Text: 'Thanks', ChangedOn: expect.any(String) });
    expect(changed.ChangedOn > invoice.ChangedOn).toBe(true);
  });

  test('lines that are not given keep their tax, whatever the rate is by now', async () => {
    const parts = (Percentage: string) => ({ Parts: [{ Title: 'Levy', Percentage }] });
    const levy = await created('TaxCodes', { Code: 'LEVY', Title: 'Levy', ...parts('10') });
    const Lines = [{ AccountNumber: '4100', TaxCode: 'LEVY', Quantity: '1', UnitPrice: '100.00' }];
    const invoice = await created('SalesInvoices', invoiceBody({ Lines }));
    const entries = async () =>
      (await allOfBooks(books, '/Journals')).filter(({ Source }) => Source?.Guid === invoice.Guid);
    const posted = await entries();
    expect((await books.send('PUT', `/TaxCodes/${levy.Guid}`, parts('20'))).status).toBe(200);
    const put = async (body: object) =>
      (await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, body)).body.SalesInvoices[0];
    expect(await put({ Text: 'Thanks' })).toEqual({
      ...invoice,
      Text: 'Thanks',
      ChangedOn: expect.any(String),
    });
    expect(await entries()).toEqual(posted);
    expect(await put({ Lines })).toMatchObject({ TaxTotal: money('20.00'), GrandTotal: money('120.00') });
  });

  test('what was read can be sent back', async () => {
    for (const kind of ['SalesInvoices', 'SalesOrders', 'SalesCreditNotes', 'CustomerReceipts', 'Journals']) {
      const { body } = await books.get(`/${kind}?pageSize=1`);
      const [object] = body[kind];
      if (object.State === 'voided') continue;
      const answer = await books.send('PUT', `/${kind}/${object.Guid}`, object);
      expect([kind, answer.status]).toEqual([kind, 200]);
      expect(answer.body[kind][0]).toEqual({ ...object, ChangedOn: expect.any(String) });
    }
  });

  test('a reference that the body does not name may be to something deleted', async () => {
    const account = 'without-partners';
    await sandbox.createCompany({
      id: account,
      name: 'Without Partners',
      platforms: ['accounting'],
      seed: 1,
      trade: 'furniture',
      records: null,
    });
    const own = await sandbox.caller('accounting', account);
    for (const kind of ['Partners', 'Products']) {
      await sandbox.control('POST', '/mutate', { account, platform: 'accounting', kind, deletes: 1000 });
    }
    const invoice = (await allOfBooks(own, '/SalesInvoices')).find(
      ({ State, Lines }) => State !== 'voided' && Lines.some(({ ProductSku }: any) => ProductSku !== null),
    );
    const put = (body: object) => own.send('PUT', `/SalesInvoices/${invoice.Guid}`, body);
    const { body } = await put({ Text: 'Thanks' });
    expect(body.SalesInvoices).toEqual([{ ...invoice, Text: 'Thanks', ChangedOn: expect.any(String) }]);
    expect(problemsOf(await put({ Partner: { Guid: invoice.Partner.Guid } }))).toEqual([
      'Partner UnknownPartner',
    ]);
  });

  test('a bank movement in a foreign currency keeps it', async () => {
    const body = { Kind: 'receive', Amount: '10', Currency: 'USD', ToAccountNumber: '1010' };
    const { Guid, Amount } = await created('BankMovements', body);
    const { status, body: answer } = await books.send('PUT', `/BankMovements/${Guid}`, { Text: 'Thanks' });
    expect([status, answer.BankMovements?.[0].Amount]).toEqual([200, Amount]);
    const euros = { Amount: { Amount: '10', Currency: 'EUR' }, Currency: 'EUR' };
    const [usd] = [(await books.get(`/BankMovements/${Guid}`)).body.BankMovements[0]];
    const changed = await books.send('PUT', `/BankMovements/${Guid}`, euros);
    expect(changed.body.BankMovements[0].ExchangeRate).not.toBe(usd.ExchangeRate);
  });

  test('a bank movement is between two accounts', async () => {
    const post = (body: object) => books.send('POST', '/BankMovements', { Amount: '5', ...body });
    for (const [Kind, ends, Field] of [
      ['transfer', { FromAccountNumber: '1010', ToAccountNumber: '1010' }, 'ToAccountNumber'],
      ['spend', { FromAccountNumber: '6900' }, 'ToAccountNumber'],
      ['receive', { FromAccountNumber: '1010', ToAccountNumber: '1010' }, 'FromAccountNumber'],
    ] as const) {
      const { status, body } = await post({ Kind, ...ends });
      const Message = `${Field} must be another account than the other end, ${ends.FromAccountNumber}`;
      expect([Kind, status, body.Error?.Problems]).toEqual([
        Kind,
        422,
        [{ Field, Code: 'Invalid', Message }],
      ]);
    }
    const transfer = { Kind: 'transfer', FromAccountNumber: '1010', ToAccountNumber: '1020' };
    const { Guid } = await created('BankMovements', { Amount: '5', ...transfer });
    const changed = await books.send('PUT', `/BankMovements/${Guid}`, { ToAccountNumber: '1010' });
    expect(problemsOf(changed)).toEqual(['ToAccountNumber Invalid']);
  });

  test('a bank movement whose end changes is on the statement of the new one', async () => {
    const make = (body: object) => created('BankMovements', { Amount: '5', ...body });
    const put = async ({ Guid }: any, body: object) =>
      (await books.send('PUT', `/BankMovements/${Guid}`, body)).body.BankMovements[0].StatementAccountNumber;
    const transfer = { Kind: 'transfer', FromAccountNumber: '1010', ToAccountNumber: '1020' };
    const left = await make(transfer);
    expect(await put(left, { ToAccountNumber: '1030' })).toBe('1010');
    expect(await put(left, { FromAccountNumber: '1040' })).toBe('1040');
    const arrived = await make({ ...transfer, StatementAccountNumber: '1020' });
    expect(await put(arrived, { ToAccountNumber: '1030' })).toBe('1030');
    expect(await put(arrived, { FromAccountNumber: '1030', ToAccountNumber: '1010' })).toBe('1030');
    expect(await put(arrived, { FromAccountNumber: '1040', StatementAccountNumber: '1010' })).toBe('1010');
    const received = await make({ Kind: 'receive', ToAccountNumber: '1010' });
    expect(await put(received, { ToAccountNumber: '1020' })).toBe('1020');
    const spent = { Kind: 'spend', FromAccountNumber: '1040', ToAccountNumber: '6100' };
    expect(await put(received, spent)).toBe('1040');
  });

  test('voiding leaves the object with another state', async () => {
    const invoice = await created('SalesInvoices', invoiceBody());
    const { body } = await books.send('PUT', `/SalesInvoices/${invoice.Guid}`, { State: 'voided' });
    expect(body.SalesInvoices[0]).toMatchObject({ State: 'voided', Outstanding: money('0.00') });
    expect((await books.get(`/SalesInvoices/${invoice.Guid}`)).status).toBe(200);
  });

  test('only drafts of documents vanish, and what is named does not', async () => {
    const sent = await created('SalesInvoices', invoiceBody());
    const draft = await created('SalesInvoices', invoiceBody({ State: 'draft' }));
    expect((await books.send('DELETE', `/SalesInvoices/${sent.Guid}`)).body.Error.Code).toBe('InUse');
    expect((await books.send('DELETE', `/SalesInvoices/${draft.Guid}`)).status).toBe(204);
    expect((await books.get(`/SalesInvoices/${draft.Guid}`)).status).toBe(404);
    expect((await books.send('DELETE', `/Partners/${partner.Guid}`)).body.Error.Code).toBe('InUse');
  });

  test('what others name keeps its number, and may be closed', async () => {
    const account = { Title: 'Own', Class: 'revenue' };
    const numbered = await created('LedgerAccounts', { ...account, Number: '4801' });
    const product = await created('Products', { Sku: 'OWN-1', Title: 'Own' });
    const parts = [{ Title: 'Own', Percentage: '5' }];
    const tax = await created('TaxCodes', { Code: 'OWN-TAX', Title: 'Own', Parts: parts });
    const put = (kind: string, { Guid }: any, body: object) => books.send('PUT', `/${kind}/${Guid}`, body);
    // Nothing names them yet.
    expect((await put('LedgerAccounts', numbered, { Number: '4802' })).status).toBe(200);
    expect((await put('Products', product, { Sku: 'OWN-2' })).status).toBe(200);
    expect((await put('TaxCodes', tax, { Code: 'OWN-TAX-2' })).status).toBe(200);
    const line = { AccountNumber: '4802', ProductSku: 'OWN-2', TaxCode: 'OWN-TAX-2' };
    await created('SalesInvoices', invoiceBody({ Lines: [{ ...line, Quantity: '1', UnitPrice: '5.00' }] }));
    for (const [kind, object, field, old] of [
      ['LedgerAccounts', numbered, 'Number', '4802'],
      ['Products', product, 'Sku', 'OWN-2'],
      ['TaxCodes', tax, 'Code', 'OWN-TAX-2'],
    ]) {
      const { status, body } = await put(kind, object, { [field]: 'OTHER' });
      const Message = `${field} must stay ${old}: other objects name it`;
      expect([status, body.Error?.Problems]).toEqual([422, [{ Field: field, Code: 'Invalid', Message }]]);
      expect((await put(kind, object, { [field]: old, Title: 'Mine' })).status).toBe(200);
    }
    const removed = await books.send('DELETE', `/LedgerAccounts/${numbered.Guid}`);
    expect([removed.status, removed.body.Error.Message]).toEqual([
      409,
      'other objects name it: set its State to closed instead',
    ]);
    expect((await put('LedgerAccounts', numbered, { State: 'closed' })).status).toBe(200);
  });

  test('accounts that Books posts to stay, named or not', async () => {
    const account = 'without-suspense';
    const own = { name: 'Control', platforms: ['accounting'], seed: 1, trade: 'furniture', records: null };
    await sandbox.createCompany({ id: account, ...own } as Parameters<typeof sandbox.createCompany>[0]);
    for (const kind of ['BankMovements', 'Expenses', 'Journals']) {
      const mutation = { account, platform: 'accounting', kind, deletes: 10_000 };
      await sandbox.control('POST', '/mutate', mutation);
    }
    const caller = await sandbox.caller('accounting', account);
    const numbers = ['6900', '7900', '1100', '2100', '2200'];
    const accounts = await allOfBooks(caller, '/LedgerAccounts');
    for (const { Guid, Number: number } of accounts.filter((one) => numbers.includes(one.Number))) {
      const renumbered = await caller.send('PUT', `/LedgerAccounts/${Guid}`, { Number: '9999' });
      expect([renumbered.status, renumbered.body.Error?.Problems]).toEqual([
        422,
        [{ Field: 'Number', Code: 'Invalid', Message: `Number must stay ${number}: Books posts to it` }],
      ]);
      const removed = await caller.send('DELETE', `/LedgerAccounts/${Guid}`);
      expect([removed.status, removed.body?.Error?.Code]).toEqual([409, 'InUse']);
    }
  });

  test('accepted writes are listed with their markers, in order', async () => {
    const body = { Kind: 'receive', Amount: '1', FromAccountNumber: '4100', ToAccountNumber: '1010' };
    const one = await created('BankMovements', { ...body, Reference: 'first' });
    await books.send('POST', '/BankMovements', { ...body, Reference: 'refused', Amount: '-1' });
    const two = await created('BankMovements', { ...body, Reference: 'second' });
    const answer = await sandbox.control('GET', '/writes?account=demo-1&platform=accounting');
    const last = answer.body.writes.slice(-2);
    expect(last).toMatchObject([
      { kind: 'BankMovements', id: one.Guid, operation: 'create', marker: 'first' },
      { kind: 'BankMovements', id: two.Guid, operation: 'create', marker: 'second' },
    ]);
  });
});

describe('POST /accounting/api/2/Products/{guid}/StockCount', () => {
  test('sets what is on hand, however often it is sent; a body of the product does not', async () => {
    const screws = await created('Products', {
      Sku: 'COUNT',
      Title: 'Screws',
      Nature: 'stocked',
      OnHand: '5',
    });
    expect(screws.OnHand).toBe('0');
    const count = (guid: string, text: string) =>
      books.send('POST', `/Products/${guid}/StockCount`, new URLSearchParams({ Counted: text }));
    for (let times = 0; times < 2; times += 1) expect((await count(screws.Guid, '12.5')).status).toBe(204);
    const { body } = await books.send('PUT', `/Products/${screws.Guid}`, { Title: 'Nails', OnHand: '7' });
    expect(body.Products[0]).toMatchObject({ Title: 'Nails', OnHand: '12.5' });
    const hour = await created('Products', { Sku: 'HOUR', Title: 'An hour', Nature: 'service' });
    expect([(await count(hour.Guid, '1')).status, (await count(screws.Guid, 'many')).status]).toEqual([
      422, 400,
    ]);
  });
});

test('a PUT with If-Match changes an object only while it is as it was read', async () => {
  const { Guid, ChangedOn } = await created('Partners', { Title: 'Seen', Role: 'customer' });
  const change = (Title: string) =>
    books.send('PUT', `/Partners/${Guid}`, { Title }, { 'if-match': ChangedOn as string });
  expect((await change('First')).status).toBe(200);
  const stale = await change('Second');
  expect([stale.status, stale.body.Error.Code]).toEqual([412, 'Stale']);
  expect((await books.get(`/Partners/${Guid}`)).body.Partners[0].Title).toBe('First');
});
