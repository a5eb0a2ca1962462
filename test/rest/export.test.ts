import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { App } from '../../src/app.js';
import { account, item, records, taxRate } from '../../src/records/index.js';
import { linesOf } from '../../src/rest/exports/lines.js';
import { admin } from '../support/admin.js';
import { fullRecord } from '../support/full-record.js';
import { until } from '../support/until.js';
import { collectLog } from '../support/log-lines.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

/** More than a page of the export. */
const COUNT = 2300;
const FORMULA = '=HYPERLINK("http://example.com","click")';

let app: App;
let acme: Tenant;
let second: Tenant;
let caller: Caller & { readonly key: string };

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'export');
  second = await acme.company('second');
  caller = await createCaller(app, acme.organisationId);
  for (const definition of records) {
    await acme.store(definition.model, [fullRecord(definition, 'one'), fullRecord(definition, 'two')]);
  }
  for (let from = 0; from < COUNT; from += 1000) {
    const batch = Array.from({ length: Math.min(1000, COUNT - from) }, (_, index) => ({
      platformId: `contact ${from + index}`,
      values: { name: from + index === 7 ? FORMULA : `Contact "${from + index}", the` },
    }));
    await second.store('Contact', batch);
  }
});
afterAll(() => app.close());

const linesIn = (text: string): { data_model: string; data: any }[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Rows of RFC 4180; an empty cell is null. */
function rowsIn(text: string): Record<string, string | null>[] {
  const rows: (string | null)[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  const [head = [], ...rest] = rows.slice(0, -1);
  return rest.map((row) => Object.fromEntries(row.map((cell, index) => [head[index], cell])));
}

async function listed(path: string): Promise<any[]> {
  const all: any[] = [];
  for (let next: string | null = ''; next !== null;) {
    const after: string = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
    const { body }: any = await caller.get(`${path}${path.includes('?') ? '&' : '?'}limit=1000${after}`);
    all.push(...body.data);
    next = body.next;
  }
  return all;
}

describe('GET /v3/core/export', () => {
  test('has every record of every type once, as its list shows it, with its lines', async () => {
    const { text, headers } = await caller.get('/v3/core/export');
    expect(headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    // nginx would keep all of it on its disk for who reads it slowly.
    expect(headers.get('x-accel-buffering')).toBe('no');
    const lines = linesIn(text);
    for (const definition of records) {
      const expand = linesOf(definition).flatMap(({ wire, isExpanded }) => (isExpanded ? [wire] : []));
      const path = `/v3/${definition.path}${expand.length > 0 ? `?expand=${expand.join(',')}` : ''}`;
      const found = lines.flatMap(({ data_model: type, data }) =>
        type === definition.dataModel ? [data] : [],
      );
      expect(found).toEqual(await listed(path));
      expect(found.length).toBeGreaterThanOrEqual(2);
    }
    const order = lines.map(({ data_model: type }) => type);
    expect([...new Set(order)]).toEqual(records.map(({ dataModel }) => dataModel));
  });

  test('is limited to a company and to record types, and leaves out deleted records unless asked', async () => {
    const third = await acme.company('third');
    for (const definition of [item, taxRate, account]) {
      await third.store(definition.model, [fullRecord(definition, 'one'), fullRecord(definition, 'two')]);
    }
    await third.store('Item', [{ platformId: 'gone', values: { name: 'Gone' } }]);
    await third.store('Item', [{ platformId: 'gone', deleted: true, values: { name: 'Gone' } }]);
    const path = `/v3/core/export?svc_company_id[eq]=${third.companyId}&data_models=ITEMS,TAX_RATES`;
    const types = (text: string) => linesIn(text).map(({ data_model: type }) => type);
    expect(types((await caller.get(path)).text)).toEqual(['ITEMS', 'ITEMS', 'TAX_RATES', 'TAX_RATES']);
    const { text } = await caller.get(`${path}&include_deleted_records=true&select=raw_data`);
    expect(types(text)).toEqual(['ITEMS', 'ITEMS', 'ITEMS', 'TAX_RATES', 'TAX_RATES']);
    const gone = linesIn(text)[2]?.data;
    expect(gone).toMatchObject({ platform_id: 'gone', raw_data: { id: 'gone' } });
    expect(gone.svc_deleted_at).toEqual(expect.any(String));
  });

  test('gives a key only its companies, and another organisation nothing', async () => {
    const limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
    const lines = linesIn((await limited.get('/v3/core/export')).text);
    expect(lines).toHaveLength(COUNT);
    expect(new Set(lines.map(({ data }) => data.svc_company_id))).toEqual(new Set([second.companyId]));
    const other = await createTenant(app, 'other');
    const stranger = await createCaller(app, other.organisationId);
    expect((await stranger.get('/v3/core/export')).text).toBe('');
  });

  test('continues after the last whole line of an answer that broke off, at the position of that answer', async () => {
    const whole = await caller.get('/v3/core/export?data_models=CONTACTS,ITEMS');
    const lines = whole.text.split('\n');
    const last = JSON.parse(lines[1499] ?? '');
    const position = whole.headers.get('x-svc-change-position');
    await acme.store('Item', [{ platformId: 'later', values: { name: 'Later' } }]);
    const after = `after=CONTACTS:${last.data.svc_id}&position=${position}`;
    const rest = await caller.get(`/v3/core/export?data_models=CONTACTS,ITEMS&${after}`);
    expect(rest.headers.get('x-svc-change-position')).toBe(position);
    const added = linesIn(rest.text).filter(({ data }) => data.platform_id !== 'later');
    expect([...linesIn(lines.slice(0, 1500).join('\n') + '\n'), ...added]).toEqual(linesIn(whole.text));
    await acme.store('Item', [{ platformId: 'later', deleted: true, values: { name: 'Later' } }]);
  });

  test('export, then follow: a copy is as the lists are, whatever was written meanwhile', async () => {
    const written = await acme.company('written');
    const numbers = Array.from({ length: 400 }, (_, index) => index);
    await written.store(
      'Contact',
      numbers.map((number) => ({ platformId: `contact ${number}`, values: { name: 'before' } })),
    );
    const writing = (async () => {
      for (let round = 0; round < 12; round += 1) {
        await written.store(
          'Contact',
          Array.from({ length: 30 }, (_, index) => ({
            platformId: `contact ${(round * 197 + index * 71) % 500}`,
            deleted: index % 10 === 0,
            values: { name: `round ${round}` },
          })),
        );
      }
    })();
    const { text, headers } = await caller.get('/v3/core/export?data_models=CONTACTS');
    await writing;
    const copy = new Map(linesIn(text).map(({ data }) => [data.svc_id, data]));
    let next: string = headers.get('x-svc-change-position') ?? '';
    for (let more = true; more;) {
      const { body } = await caller.get(`/v3/core/changes?data_models=CONTACTS&limit=1000&next=${next}`);
      for (const { svc_id: svcId, data } of body.data) {
        if (data) copy.set(svcId, data);
        else copy.delete(svcId);
      }
      ({ next, has_more: more } = body);
    }
    const contacts = await listed('/v3/accounting/contacts?fields=svc_id,name');
    const name = ({ svc_id: svcId, name: text }: any) => [svcId, text];
    expect([...copy.values()].map(name).sort()).toEqual(contacts.map(name).sort());
  });

  test('goes out compressed where the client takes it', async () => {
    const ask = async (encoding: string) => {
      const answer = await request(`${app.url}/v3/core/export?data_models=CONTACTS`, {
        headers: { api_key: caller.key, 'accept-encoding': encoding },
      });
      return {
        encoding: answer.headers['content-encoding'],
        body: Buffer.from(await answer.body.arrayBuffer()),
      };
    };
    const plain = await ask('identity');
    const small = await ask('gzip');
    expect([plain.encoding, small.encoding]).toEqual([undefined, 'gzip']);
    expect(small.body.length).toBeLessThan(plain.body.length / 4);
    expect(gunzipSync(small.body).equals(plain.body)).toBe(true);
  });

  test('holds nothing open in the database for a slow reader, and cuts off one who stopped reading', async () => {
    const large = await acme.company('large');
    for (let part = 0; part < 3; part += 1) {
      const batch = Array.from({ length: 400 }, (_, index) => ({
        platformId: `long ${part} ${index}`,
        values: { name: 'n', description: 'long '.repeat(2000) },
      }));
      await large.store('Item', batch);
    }
    const log = collectLog('debug');
    const impatient = await startApp({ LIMIT_SLOW_READER_MILLISECONDS: '600' }, { log: log.log });
    try {
      const answer = await request(`${impatient.url}/v3/core/export?data_models=ITEMS`, {
        headers: { api_key: caller.key },
        highWaterMark: 1024,
      });
      const { rows } = await admin.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE '%in transaction%'`,
      );
      expect(rows).toEqual([]);
      expect(answer.statusCode).toBe(200);
      await until('it was cut off', () => log.saying('a long answer was cut off').length > 0);
      await expect(answer.body.text()).rejects.toThrow();
    } finally {
      await impatient.close();
    }
  });

  test.each([
    ['data_models=THINGS', 'data_models'],
    ['format=xml', 'format'],
    ['format=csv', 'data_models'],
    ['format=csv&data_models=ITEMS,CONTACTS', 'data_models'],
    ['lines=line_items', 'lines'],
    ['format=csv&data_models=CURRENCIES&lines=line_items', 'lines'],
    ['after=INVOICES:1', 'position'],
    ['after=1&position=1', 'after'],
    ['after=INVOICES:1&position=1&data_models=ITEMS', 'after'],
    ['select=secrets', 'select'],
    ['status=PAID', 'status'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await caller.get(`/v3/core/export?${query}`);
    expect([status, body.error]).toMatchObject([400, { code: 'invalid-params', field }]);
  });

  test('needs a key', async () => {
    expect((await fetch(`${app.url}/v3/core/export`)).status).toBe(401);
  });
});

describe('as CSV', () => {
  const csv = async (query: string) => {
    const answer = await caller.get(`/v3/core/export?format=csv&${query}`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    return answer.text;
  };

  test('has a row a record, objects in columns of their own, and null apart from an empty text', async () => {
    await acme.store('Account', [{ platformId: 'empty', values: { name: '', nominalCode: 'a\r\n"b",c' } }]);
    const rows = rowsIn(await csv(`data_models=ACCOUNTS&svc_company_id[eq]=${acme.companyId}`));
    const accounts = await listed(`/v3/accounting/accounts?svc_company_id[eq]=${acme.companyId}`);
    expect(rows.map((row) => Number(row['svc_id']))).toEqual(accounts.map(({ svc_id: svcId }) => svcId));
    const [one] = accounts;
    expect(rows[0]).toMatchObject({
      name: one.name,
      current_balance: '12.30',
      svc_created_at: one.svc_created_at,
      'parent_account.svc_id': String(one.parent_account.svc_id),
    });
    expect(rows.at(-1)).toMatchObject({ nominal_code: 'a\r\n"b",c', current_balance: null });
    const [, , , last = ''] = (await csv(`data_models=ACCOUNTS&svc_company_id[eq]=${acme.companyId}`)).split(
      /\r\n(?=\d)/,
    );
    expect(last).toContain(',"",');
  });

  test('has the lines of records as rows, with the record that they belong to', async () => {
    const invoices = await listed('/v3/accounting/invoices?expand=line_items');
    const rows = rowsIn(await csv('data_models=INVOICES&lines=line_items'));
    const wanted = invoices.flatMap((one) =>
      one.line_items.map((line: any, index: number) => [one.svc_id, index + 1, line.description]),
    );
    expect(wanted.length).toBeGreaterThan(1);
    expect(
      rows.map((row) => [Number(row['parent_svc_id']), Number(row['line_number']), row['description']]),
    ).toEqual(wanted);
  });

  test('keeps texts from being run by a spreadsheet, unless asked for them as they are', async () => {
    const names = async (query: string) =>
      rowsIn(await csv(`data_models=CONTACTS&${query}`)).map(({ name }) => name);
    expect(await names('')).toContain(`'${FORMULA}`);
    expect(await names('spreadsheet_guard=false')).toContain(FORMULA);
  });

  test('begins with a byte order mark where that is asked for, once', async () => {
    const bytes = async (query: string) => {
      const url = `${app.url}/v3/core/export?format=csv&data_models=TAX_RATES&byte_order_mark=true${query}`;
      return Buffer.from(await (await fetch(url, { headers: { api_key: caller.key } })).arrayBuffer());
    };
    const whole = await bytes('');
    expect(whole.toString()).toMatch(/^\ufeffsvc_id,/);
    const [, first = ''] = whole.toString().split('\r\n');
    expect((await bytes(`&after=TAX_RATES:${first.split(',')[0]}&position=1`)).toString()).not.toContain(
      '\ufeff',
    );
  });

  test('continues without a second head', async () => {
    const [head, first, ...rest] = (await csv('data_models=TAX_RATES')).split('\r\n');
    expect(head).toMatch(/^svc_id,/);
    const after = `after=TAX_RATES:${first?.split(',')[0]}&position=1`;
    expect(await csv(`data_models=TAX_RATES&${after}`)).toBe(rest.join('\r\n'));
  });

  test.each(records.map((one) => [one.dataModel, one] as const))(
    'of %s has columns of one name each',
    async (dataModel, definition) => {
      for (const lines of ['', ...linesOf(definition).map(({ wire }) => `&lines=${wire}`)]) {
        const head = (await csv(`data_models=${dataModel}${lines}`)).split('\r\n')[0]?.split(',') ?? [];
        expect(head).toEqual([...new Set(head)]);
        expect(head.length).toBeGreaterThan(2);
      }
    },
  );
});
