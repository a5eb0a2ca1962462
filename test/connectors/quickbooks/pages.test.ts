import { describe, expect, test } from '@jest/globals';

import { AppError } from '../../../src/errors.js';
import { quickbooks } from '../../../src/connectors/quickbooks/index.js';
import { answering, type AskedCall, deletionsOf, pull, resourceOf } from '../sandbox/answering.js';

const items = resourceOf(quickbooks, 'ITEMS');
const bills = resourceOf(quickbooks, 'BILLS');
const payments = resourceOf(quickbooks, 'INVOICE_PAYMENTS');

const found = (entity: string, objects: readonly object[]) => ({
  QueryResponse: { [entity]: objects, startPosition: 1, maxResults: objects.length },
});
const NOTHING = { QueryResponse: {}, time: '2026-11-28T10:00:00.000-08:00' };
const at = (Id: number | string, time: string) => ({ Id: String(Id), MetaData: { LastUpdatedTime: time } });
const many = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, i) => make(i));
const changes = (entity: string, objects: readonly object[]) => ({
  CDCResponse: [{ QueryResponse: [{ [entity]: objects }] }],
});

/** The answer to a query of one entity; there is nothing of others. */
const of = (entity: string, objects: readonly object[], { query }: AskedCall) =>
  (query['query'] ?? '').includes(` from ${entity} `) ? found(entity, objects) : NOTHING;

/** The part of a list that a query asks for, as `slice` takes it. */
function range(query: string): [number, number] {
  const start = Number(/startposition (\d+)/.exec(query)?.[1] ?? '1');
  return [start - 1, start - 1 + Number(/maxresults (\d+)/.exec(query)?.[1])];
}

const asked = ({ path, query }: AskedCall) => query['query'] ?? path;
const idsIn = (pages: readonly { objects: readonly object[] }[]) =>
  pages.map(({ objects }) => objects.map((one) => (one as { Id: string }).Id));

describe('a list', () => {
  test.each([
    [{ time: 'now' }, 'must answer with a QueryResponse'],
    [{ QueryResponse: { maxResults: 3 } }, 'must answer with a list of Item'],
    [{ QueryResponse: { Item: [7] } }, 'sent a list of Item with an element that is not an object'],
  ])('is not empty because of the answer %j', async (answer, message) => {
    await expect(
      pull(
        answering(() => answer),
        items,
      ),
    ).rejects.toMatchObject({
      code: 'platform-answer',
      message: `QuickBooks ${message}`,
    });
  });

  test('of one page may have any order, and objects that do not tell their last change', async () => {
    const objects = [at(1, '2026-11-28T10:00:01-08:00'), at(2, '2026-11-28T10:00:00-08:00'), { Id: '3' }];
    const client = answering(() => found('Item', objects));
    expect(idsIn(await pull(client, items))).toEqual([['1', '2', '3']]);
    expect(client.calls).toHaveLength(1);
  });

  test('begins with the second of a time, in UTC, and has inactive objects', async () => {
    const client = answering(() => NOTHING);
    expect(await pull(client, items, { since: new Date('2026-11-28T10:00:00.900Z') })).toEqual([
      { objects: [], cursor: null },
    ]);
    expect(client.calls.map(asked)).toEqual([
      "select * from Item where Active in (true, false) and MetaData.LastUpdatedTime >= '2026-11-28T10:00:00Z' orderby MetaData.LastUpdatedTime, Id maxresults 1000",
    ]);
  });

  test('goes on with the last second of a page, whose other objects may follow', async () => {
    const second = (n: number) => `2026-11-28T10:00:0${n}Z`;
    const first = many(250, (index) => at(index, second(index < 240 ? 1 : 2)));
    const client = answering(({ query }) =>
      found(
        'Bill',
        (query['query'] ?? '').includes(second(2)) ? [...first.slice(240), at(300, second(3))] : first,
      ),
    );
    const pages = await pull(client, bills);
    expect(pages.map(({ objects, cursor }) => [objects.length, cursor])).toEqual([
      [240, 'Bill:2026-11-28T10:00:02Z'],
      [11, null],
    ]);
  });

  describe('in another order each time', () => {
    let turns = 0;
    /** The list begins elsewhere whenever it is read. */
    const turning = (entity: string, objects: readonly object[]) =>
      answering(({ query }) => {
        const text = query['query'] ?? '';
        turns += 337;
        if (!text.includes(` from ${entity} `)) return NOTHING;
        const start = turns % objects.length;
        return found(entity, [...objects.slice(start), ...objects.slice(0, start)].slice(...range(text)));
      });
    const living = many(3000, (index) => at(1000 + index, `2026-11-28T10:00:${index % 60}Z`));
    const refusal = {
      code: 'platform-answer',
      message: expect.stringContaining('in another order each time'),
    };

    test.each([
      ['Bill', 'documents', (client: ReturnType<typeof answering>) => pull(client, bills)],
      ['Item', 'ids', (client: ReturnType<typeof answering>) => deletionsOf(client, items)],
      [
        'TaxRate',
        'settings',
        (client: ReturnType<typeof answering>) => pull(client, resourceOf(quickbooks, 'TAX_RATES')),
      ],
    ])('is not read without end: of %s, as %s', async (entity, _, read) => {
      const client = turning(entity, living);
      await expect(read(client)).rejects.toMatchObject(refusal);
      expect(client.calls.length).toBeLessThan(200);
    });
  });

  test('with more objects of a second than a page holds loses none that follow one that leaves it', async () => {
    const time = '2026-11-28T10:00:00Z';
    let living = many(600, (index) => at(index + 1, time));
    const client = answering(({ query }) => {
      const text = query['query'] ?? '';
      if (text.includes(">= '2026-11-28T10:00:01Z'")) return NOTHING;
      const page = living.slice(...range(text));
      // More than pages overlap change meanwhile, and leave the second.
      if (living.length === 600) living = living.slice(30);
      return found('Bill', page);
    });
    const ids = new Set(idsIn(await pull(client, bills)).flat());
    expect(living.map((one) => (one as { Id: string }).Id).filter((id) => !ids.has(id))).toEqual([]);
  });

  describe('in another order than asked for', () => {
    const minute = (n: number) => `${new Date(Date.UTC(2026, 10, 28, 10, n)).toISOString().slice(0, 19)}Z`;
    const since = new Date(minute(0));
    const byId = many(700, (index) => at(1000 + index, minute(index)));
    const changed = (index: number, ...objects: object[]) =>
      byId.toSpliced(index, objects.length, ...objects);
    /** Answers in the order of Ids, whatever is asked for. */
    const orderedById = (objects: readonly object[]) =>
      answering(({ query }) => {
        const text = query['query'] ?? '';
        const from = / >= '([^']+)'/.exec(text)?.[1] ?? '';
        const fitting = objects.filter((one) => {
          const { MetaData } = one as { MetaData?: { LastUpdatedTime: string } };
          return !MetaData || MetaData.LastUpdatedTime >= from;
        });
        return found('Bill', fitting.slice(...range(text)));
      });

    test.each([
      ['on its first page', changed(7, at(1007, minute(900)))],
      ['on its first page, of which one does not tell its last change', changed(7, { Id: '1007' })],
      ['after a page in order', changed(249, at(1249, minute(400)), at(1250, minute(900)))],
      ['after a page in order, on a last one', changed(249, at(1249, minute(698)), at(1250, minute(900)))],
    ])('is read again by Id from where it began: %s', async (_, objects) => {
      const client = orderedById(objects);
      const pages = await pull(client, bills, { since });
      expect([...new Set(idsIn(pages).flat())].sort()).toEqual(idsIn([{ objects }]).flat());
      expect(client.calls.map(asked).at(-1)).toBe(
        `select * from Bill where MetaData.LastUpdatedTime >= '${minute(0)}' orderby Id startposition 481 maxresults 250`,
      );
      const { cursor = null } = pages.at(-2) ?? {};
      expect(cursor).toMatch(/^Bill:Id 481 /);
      expect(await pull(client, bills, { since, cursor })).toEqual(pages.slice(-1));
    });
  });

  test('with more objects of a second than a page holds needs no order within the second', async () => {
    const time = '2026-11-28T10:00:00Z';
    const living = many(600, (index) => at(1001 + index, time));
    const client = answering(({ query }) => {
      const text = query['query'] ?? '';
      if (text.includes(">= '2026-11-28T10:00:01Z'")) return NOTHING;
      // Times are more exact than what is told of them.
      const listed = text.includes('orderby Id') ? living : living.toReversed();
      return found('Bill', listed.slice(...range(text)));
    });
    const ids = new Set(idsIn(await pull(client, bills)).flat());
    expect([...ids].sort()).toEqual(idsIn([{ objects: living }]).flat());
  });

  test('whose page is too long or takes too long is read in smaller ones', async () => {
    const client = answering(({ query }) => {
      if ((query['query'] ?? '').endsWith('maxresults 250'))
        throw new AppError('platform-timeout', 'too long');
      return found('Bill', [at(1, '2026-11-28T10:00:00Z')]);
    });
    expect(idsIn(await pull(client, bills))).toEqual([['1']]);
    expect(client.calls).toHaveLength(2);
  });
});

describe('deletions', () => {
  const since = new Date('2026-11-28T10:00:00.500Z');
  const feed = bills.deletions?.[0];
  const feedPages = async (client: ReturnType<typeof answering>) => {
    const pages = [];
    for await (const page of feed?.pages(client, { since, cursor: null }) ?? []) pages.push(page);
    return pages;
  };

  test('are told since a time', async () => {
    const client = answering(() => changes('Bill', [{ Id: '1', status: 'Deleted' }, at(2, 'now')]));
    expect(await feedPages(client)).toEqual([{ platformIds: ['1'], cursor: null }]);
    expect(client.calls).toEqual([
      { path: '/cdc', query: { entities: 'Bill', changedSince: '2026-11-28T10:00:00Z' } },
    ]);
    expect(feed?.reachDays).toBe(29);
  });

  test('are none where nothing changed', async () => {
    const client = answering(() => ({ CDCResponse: [{ QueryResponse: [{}] }] }));
    expect(await feedPages(client)).toEqual([{ platformIds: [], cursor: null }]);
  });

  test.each([{}, { CDCResponse: {} }, { CDCResponse: [{ QueryResponse: {} }] }])(
    'are not none because of the answer %j',
    async (answer) => {
      await expect(feedPages(answering(() => answer))).rejects.toMatchObject({ code: 'platform-answer' });
    },
  );

  test('of an answer with as many objects as it may have are not all', async () => {
    const objects = many(1000, (Id) => ({ Id: String(Id), status: Id === 7 ? 'Deleted' : undefined }));
    expect(await feedPages(answering(() => changes('Bill', objects)))).toEqual([
      { platformIds: ['7'], cursor: null, isCut: true },
    ]);
  });

  test.each(['platform-timeout', 'platform-refused'] as const)('that are a %s are not all', async (code) => {
    const client = answering(() => {
      throw new AppError(code, 'not so much');
    });
    expect(await feedPages(client)).toEqual([{ platformIds: [], cursor: null, isCut: true }]);
  });

  test.each(['CreditCardPayment', 'CreditCardPaymentTxn'])(
    'of card payments are told under the name %s, and so are they',
    async (name) => {
      const banked = resourceOf(quickbooks, 'BANK_TRANSACTIONS');
      const client = answering(({ path, query }) => {
        if (path === '/cdc') return changes(name, [{ Id: '1', status: 'Deleted' }]);
        const isAsked = (query['query'] ?? '').includes(' from CreditCardPayment ');
        return isAsked ? found(name, [at(2, '2026-11-28T10:00:00Z')]) : NOTHING;
      });
      const ids = [];
      for (const way of (banked.deletions ?? []).filter(({ kind }) => kind === 'feed')) {
        for await (const page of way.pages(client, { since, cursor: null })) ids.push(...page.platformIds);
      }
      expect(ids).toEqual(['creditcardpayment:1']);
      expect(idsIn(await pull(client, banked)).flat()).toEqual(['2']);
    },
  );

  test('of names are what is missing, in the lists of all their entities', async () => {
    const client = answering(({ query }) => {
      const entity = / from (\w+) /.exec(query['query'] ?? '')?.[1] ?? '';
      return found(entity, [{ Id: '3' }]);
    });
    const pages = await deletionsOf(client, resourceOf(quickbooks, 'CONTACTS'));
    expect(pages).toEqual([
      { platformIds: ['customer:3'], cursor: 'Vendor:' },
      { platformIds: ['vendor:3'], cursor: null },
    ]);
  });
});

describe('payments', () => {
  const line = (TxnType: string, TxnId: string, Amount = 10) => ({ Amount, LinkedTxn: [{ TxnType, TxnId }] });
  const payment = {
    ...at(88, '2026-11-28T10:00:00Z'),
    TotalAmt: 50,
    UnappliedAmt: 5,
    Line: [line('Invoice', '12'), line('CreditMemo', '7'), line('Invoice', '12', 3)],
  };
  const idsOf = (pages: Awaited<ReturnType<typeof pull>>) =>
    pages.map(({ objects }) =>
      objects.map(
        (one) => payments.toUnified(one, { baseCurrency: 'USD', platformIdOf: () => null })?.platformId,
      ),
    );

  test('are split by what they pay, and lose what they no longer pay', async () => {
    const since = new Date();
    const client = answering((call) =>
      call.path === '/cdc'
        ? changes('Payment', [{ Id: '9', status: 'Deleted' }])
        : of('Payment', [payment], call),
    );
    const pages = await pull(client, payments, { since });
    expect(idsOf(pages).slice(0, 2)).toEqual([['88:invoice:12', '88:creditmemo:7', '88'], []]);
    expect(pages.slice(0, 2).map(({ wholes, cursor }) => [wholes, cursor])).toEqual([
      [['88'], 'Payment deleted:'],
      [['9'], 'SalesReceipt:'],
    ]);
    expect(pages.at(-1)?.cursor).toBeNull();
  });

  test('have the name of their method, which they refer to by Id alone', async () => {
    const methodsOf = async (methods: readonly object[]) => {
      const client = answering((call) => {
        const { path, query } = call;
        if (path === '/cdc') return changes('Payment', []);
        if (query['query']?.includes('from PaymentMethod ')) return found('PaymentMethod', methods);
        const paid = [at(1, '2026-11-28T10:00:00Z'), { ...at(2, '2026-11-28T10:00:01Z'), PaymentMethodRef }];
        return of('Payment', [...paid, { ...at(3, '2026-11-28T10:00:02Z'), PaymentMethodRef }], call);
      });
      const [page] = await pull(client, payments);
      const records = page?.objects.map((one) =>
        payments.toUnified(one, { baseCurrency: 'USD', platformIdOf: () => null }),
      );
      expect(client.calls.map(asked).filter((call) => call.includes('from PaymentMethod '))).toHaveLength(1);
      return records?.map((record) => (record?.values as { paymentMode?: string | null }).paymentMode);
    };
    const PaymentMethodRef = { value: '5' };
    expect(await methodsOf([{ Id: '5', Name: 'Wire' }])).toEqual([null, 'Wire', 'Wire']);
    expect(await methodsOf([])).toEqual([null, null, null]);
  });

  test('are asked for deletions as far back as they are told', async () => {
    const client = answering(({ path }) => (path === '/cdc' ? changes('Payment', []) : NOTHING));
    for (const since of [null, new Date(Date.now() - 60 * 86_400_000)]) {
      client.calls.splice(0);
      await pull(client, payments, { since });
      const told = Date.parse(client.calls[1]?.query['changedSince'] ?? '');
      expect(Date.now() - told).toBeGreaterThan(28 * 86_400_000);
      expect(Date.now() - told).toBeLessThan(30 * 86_400_000);
    }
  });

  test('are swept only where not all deletions were told', async () => {
    const deleted = many(1000, (Id) => ({ Id: String(Id), status: 'Deleted' }));
    const feed = payments.deletions?.[0];
    for (const [count, isCut] of [
      [999, undefined],
      [1000, true],
    ] as const) {
      const client = answering(() => changes('Payment', deleted.slice(0, count)));
      const pages = [];
      for await (const page of feed?.pages(client, { since: new Date(), cursor: null }) ?? [])
        pages.push(page);
      expect(pages).toEqual([{ platformIds: [], cursor: null, ...(isCut && { isCut }) }]);
    }
    expect(payments.deletions?.map(({ kind }) => kind)).toEqual([...['feed', 'feed', 'feed'], 'sweep']);
  });

  test('to vendors do not say what is left of them', async () => {
    const billPayments = resourceOf(quickbooks, 'BILL_PAYMENTS');
    const paid = {
      ...at(89, '2026-11-28T10:00:00Z'),
      TotalAmt: 60,
      Line: [line('Bill', '3', 70), line('VendorCredit', '4', 20)],
    };
    const client = answering(({ path }) =>
      path === '/cdc' ? changes('BillPayment', []) : found('BillPayment', [paid]),
    );
    const [page] = await pull(client, billPayments);
    const lookups = { baseCurrency: 'USD', platformIdOf: () => null };
    const records = page?.objects.map((one) => billPayments.toUnified(one, lookups));
    expect(records?.map((one) => [one?.platformId, (one?.values as { amount?: string }).amount])).toEqual([
      ['89:bill:3', '70'],
      ['89:vendorcredit:4', '20'],
      ['89', '10'],
    ]);
  });

  test.each([
    ['Voided - twice', []],
    ['Annulé', []],
    ['Annulé', [line('Invoice', '12', 0)]],
  ])('that are voided pay nothing, in any language: %s, %j', async (PrivateNote, Line) => {
    const voided = { ...payment, TotalAmt: 0, UnappliedAmt: 0, PrivateNote, Line };
    const client = answering((call) =>
      call.path === '/cdc' ? changes('Payment', []) : of('Payment', [voided], call),
    );
    expect(idsOf(await pull(client, payments)).flat()).toEqual([]);
  });

  test('that apply a credit are not voided, whatever their note says', async () => {
    const Line = [line('Invoice', '12'), line('CreditMemo', '7')];
    const applied = { ...payment, TotalAmt: 0, UnappliedAmt: 0, PrivateNote: 'Voided the other one', Line };
    const client = answering((call) =>
      call.path === '/cdc' ? changes('Payment', []) : of('Payment', [applied], call),
    );
    expect(idsOf(await pull(client, payments)).flat()).toEqual(['88:invoice:12', '88:creditmemo:7']);
  });

  test('of receipts are their own, also where a payment has the same Id', async () => {
    const receipt = { ...at(88, '2026-11-28T10:00:00Z'), TotalAmt: 20, PaymentMethodRef: { value: '5' } };
    const free = { ...at(89, '2026-11-28T10:00:00Z'), TotalAmt: 0 };
    const client = answering((call) => {
      const [, entity = ''] = / from (\w+) /.exec(call.query['query'] ?? '') ?? [];
      if (call.path === '/cdc') {
        const told = call.query['entities'] ?? '';
        return changes(told, told === 'RefundReceipt' ? [{ Id: '9', status: 'Deleted' }] : []);
      }
      if (entity === 'PaymentMethod') return found(entity, [{ Id: '5', Name: 'Cash' }]);
      return of(entity, entity === 'Payment' ? [payment] : [receipt, free], call);
    });
    const pages = await pull(client, payments);
    const lookups = { baseCurrency: 'USD', platformIdOf: () => null };
    const records = pages.flatMap(({ objects }) => objects.map((one) => payments.toUnified(one, lookups)));
    expect(records.map((one) => one?.platformId).slice(2)).toEqual([
      '88',
      'salesreceipt:88',
      'refundreceipt:88',
    ]);
    expect(records.at(-1)?.values).toMatchObject({ amount: '20', paymentMode: 'Cash' });
    expect(pages.map(({ wholes }) => wholes)).toEqual([
      ['88'],
      [],
      ['salesreceipt:88', 'salesreceipt:89'],
      [],
      ['refundreceipt:88', 'refundreceipt:89'],
      ['refundreceipt:9'],
    ]);
    // What it is part of is found where the engine looks for it.
    expect(payments.partOf).toEqual({ field: 'paymentId' });
    expect(records.map((one) => (one?.values as { paymentId?: unknown }).paymentId).slice(2)).toEqual([
      '88',
      'salesreceipt:88',
      'refundreceipt:88',
    ]);
    expect(await payments.read?.(client, 'refundreceipt:88')).toMatchObject({ TotalAmt: 20 });
    expect(await payments.read?.(client, '88')).toMatchObject({ svc_left: '5' });
  });
});

describe('settings', () => {
  test('of a company with one currency have only that', async () => {
    const client = answering(() =>
      found('Preferences', [
        { Id: '1', CurrencyPrefs: { MultiCurrencyEnabled: false, HomeCurrency: { value: 'GBP' } } },
      ]),
    );
    const pages = await pull(client, resourceOf(quickbooks, 'CURRENCIES'));
    expect(pages).toEqual([{ objects: [{ Code: 'GBP' }], cursor: null }]);
    expect(client.calls.map(asked)).toEqual(['select * from Preferences']);
    expect(await quickbooks.readBaseCurrency?.(client)).toBe('GBP');
  });
});

describe('classes and locations', () => {
  const tracking = resourceOf(quickbooks, 'TRACKING_CATEGORIES');
  const refusing = (refused: readonly string[], code: 'platform-refused' | 'platform-unavailable') =>
    answering(({ query }) => {
      const [, entity = ''] = /from (\w+)/.exec(query['query'] ?? '') ?? [];
      if (refused.includes(entity)) throw new AppError(code, `no ${entity}`);
      return found(entity, [{ Id: '3' }]);
    });

  test.each([
    ['Class', 'Department'],
    ['Department', 'Class'],
  ])('are those of the plan: without %s there is %s', async (refused, left) => {
    const [page] = await pull(refusing([refused], 'platform-refused'), tracking);
    expect(page?.objects.map((one) => one['svc_entity'])).toEqual([left]);
    expect(page?.unlisted).toEqual([`${refused.toLowerCase()}:`]);
  });

  test('are not none where both are refused, or one is not to be had for the moment', async () => {
    const both = refusing(['Class', 'Department'], 'platform-refused');
    await expect(pull(both, tracking)).rejects.toMatchObject({ message: 'no Class' });
    const later = refusing(['Department'], 'platform-unavailable');
    await expect(pull(later, tracking)).rejects.toMatchObject({ message: 'no Department' });
  });
});

describe('tax codes', () => {
  const TABLES: Readonly<Record<string, readonly object[]>> = {
    TaxCode: [
      { Id: '3', SalesTaxRateList: { TaxRateDetail: [{ TaxRateRef: { value: '1' } }] } },
      { Id: 'NON' },
    ],
    TaxRate: [{ Id: '1', Name: 'State', RateValue: 7, AgencyRef: { value: '4' } }],
    TaxAgency: [{ Id: '4', DisplayName: 'Dept. of Revenue' }],
  };
  const taxRates = resourceOf(quickbooks, 'TAX_RATES');

  test.each<[string, typeof TABLES, string | null]>([
    ['have', TABLES, 'Dept. of Revenue'],
    ['lack', { ...TABLES, TaxAgency: [] }, null],
  ])('%s the agencies of their rates, which these name by Id alone', async (_, tables, taxAgency) => {
    const client = answering(({ query }) => {
      const [, entity = ''] = /from (\w+)/.exec(query['query'] ?? '') ?? [];
      return found(entity, tables[entity] ?? []);
    });
    const [page] = await pull(client, taxRates);
    const lookups = { baseCurrency: 'USD', platformIdOf: () => null };
    const records = page?.objects.map((one) => taxRates.toUnified(one, lookups));
    expect(records?.[0]?.lines).toMatchObject({
      components: [{ values: { name: 'State', rate: '7', taxAgency } }],
    });
    expect(records?.[1]?.lines).toEqual({ components: [] });
  });
});
