import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BOOKS_KINDS } from '../../src/sandbox/books/kinds.js';
import { allOfBooks, dump, type PlatformCaller, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
let books: PlatformCaller;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  books = await sandbox.caller('accounting', 'demo-1');
});
afterAll(() => sandbox.remove());

const guids = (objects: any[]) => objects.map(({ Guid }) => Guid);

describe('GET /accounting/api/2/{Kind}', () => {
  test.each(Object.keys(BOOKS_KINDS))('walking the pages of %s gives every object once', async (kind) => {
    const stored = (await dump(sandbox, `account=demo-1&platform=accounting&kind=${kind}`)).map(
      ({ object }) => object,
    );
    expect(await allOfBooks(books, `/${kind}`, 7)).toEqual(stored);
    expect(await allOfBooks(books, `/${kind}/ids`, 11)).toEqual(guids(stored));
    // Vanished objects keep their places: what is there may need a page more than its number.
    expect(await allOfBooks(books, `/${kind}`, Math.min(200, stored.length))).toEqual(stored);
    const { body } = await books.get(`/${kind}?pageSize=1`);
    expect(body.Paging.ItemCount).toBe(stored.length);
  });

  const CUSTOM = ['Cost centre', 'Freight number', 'Approved'];

  test('documents add up, and what they name is there', async () => {
    const [invoices, accounts, taxes, partners] = await Promise.all(
      ['/SalesInvoices', '/LedgerAccounts', '/TaxCodes', '/Partners'].map((path) => allOfBooks(books, path)),
    );
    const numbers = accounts?.map((one) => one.Number) ?? [];
    const codes = taxes?.map((one) => one.Code) ?? [];
    expect(invoices?.length).toBeGreaterThan(40);
    for (const invoice of invoices ?? []) {
      const sum = invoice.Lines.reduce((total: number, line: any) => total + Number(line.Gross.Amount), 0);
      expect(sum).toBeCloseTo(Number(invoice.GrandTotal.Amount), 2);
      expect(invoice.CustomFields.map((field: any) => field.Name)).toEqual(CUSTOM);
      expect(invoice.Date).toMatch(/^\d{2}\.\d{2}\.\d{4}$/);
      expect(guids(partners ?? [])).toContain(invoice.Partner.Guid);
      for (const line of invoice.Lines) {
        expect(numbers).toContain(line.AccountNumber);
        expect(codes).toContain(line.TaxCode);
      }
    }
  });

  test('pages stay in place when objects vanish or change while they are read', async () => {
    const before = guids(await allOfBooks(books, '/BankMovements'));
    const first = await books.get('/BankMovements?page=1&pageSize=10');
    const gone = first.body.BankMovements[0].Guid;
    expect((await books.send('DELETE', `/BankMovements/${gone}`)).status).toBe(204);
    await books.send('PUT', `/BankMovements/${first.body.BankMovements[1].Guid}`, { Text: 'changed' });
    const rest: string[] = [];
    for (let page = 2; page <= first.body.Paging.PageCount; page += 1) {
      rest.push(...guids((await books.get(`/BankMovements?page=${page}&pageSize=10`)).body.BankMovements));
    }
    expect([...guids(first.body.BankMovements), ...rest]).toEqual(before);
    expect(await allOfBooks(books, '/BankMovements/ids')).toEqual(before.filter((guid) => guid !== gone));
    expect((await books.get(`/BankMovements/${gone}`)).status).toBe(404);
  });

  test('modifiedSince is inclusive, in the parameter or the header', async () => {
    const all = await allOfBooks(books, '/Journals');
    const since = all.at(-25).ChangedOn;
    const expected = guids(all.filter(({ ChangedOn }) => ChangedOn >= since));
    expect(guids(await allOfBooks(books, `/Journals?modifiedSince=${since}`, 3))).toEqual(expected);
    const answer = await books.get('/Journals?pageSize=200', { 'modified-since': since });
    expect(guids(answer.body.Journals)).toEqual(expected);
    const later = new Date(Date.parse(all.at(-1).ChangedOn) + 1).toISOString();
    expect((await books.get(`/Journals?modifiedSince=${later}`)).body.Paging.ItemCount).toBe(0);
  });

  test('reading from the last change on misses nothing that is written meanwhile', async () => {
    const seen = new Set<string>();
    const written: string[] = [];
    let since = new Date().toISOString();
    let isDone = false;
    const write = async (prefix: string) => {
      for (let index = 0; index < 15; index += 1) {
        const body = { Sku: `${prefix}-${index}`, Title: 'Race' };
        written.push((await books.send('POST', '/Products', body)).body.Products[0].Guid);
      }
    };
    const read = async () => {
      const changed = await allOfBooks(books, `/Products?modifiedSince=${since}`);
      for (const { Guid, ChangedOn } of changed) {
        seen.add(Guid);
        if (ChangedOn > since) since = ChangedOn;
      }
    };
    const reader = (async () => {
      while (!isDone) await read();
      await read();
    })();
    await Promise.all([write('A'), write('B'), write('C')]);
    isDone = true;
    await reader;
    expect([...seen].sort()).toEqual(written.sort());
  });

  test('reading from the time of the last reading on misses nothing either', async () => {
    const { body } = await books.get('/SalesInvoices?pageSize=1');
    const path = `/SalesInvoices/${body.SalesInvoices[0].Guid}/Attachments?fileName=large.bin`;
    const seen = new Set<string>();
    const written: string[] = [];
    let since = new Date().toISOString();
    let isDone = false;
    // A large file takes long from the time that it gets to its commit.
    const write = async () => {
      for (let index = 0; index < 10; index += 1) {
        const answer = await books.send('POST', path, Buffer.alloc(6_000_000, index));
        written.push(answer.body.Attachments[0].Guid);
      }
    };
    const read = async () => {
      const asked = new Date().toISOString();
      for (const { Guid } of await allOfBooks(books, `/Attachments?modifiedSince=${since}`)) seen.add(Guid);
      since = asked;
    };
    const reader = (async () => {
      while (!isDone) await read();
      await read();
    })();
    await write();
    isDone = true;
    await reader;
    expect([...seen].sort()).toEqual(written.sort());
  });

  test.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=201', 'pageSize'],
    ['page=x', 'page'],
    ['modifiedSince=yesterday', 'modifiedSince'],
  ])('refuses ?%s by name', async (query, field) => {
    const { status, body } = await books.get(`/Journals?${query}`);
    expect([status, body.Error.Code, body.Error.Problems[0].Field]).toEqual([400, 'BadRequest', field]);
  });

  test('unknown kinds and objects are a 404, a missing company header a 400', async () => {
    expect((await books.get('/Nothing')).status).toBe(404);
    expect((await books.get('/Journals/nothing')).body.Error.Code).toBe('NotFound');
    expect((await books.get('/Journals', { 'sandbox-company': '' })).status).toBe(400);
  });
});

describe('attachments', () => {
  const content = async (guid: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${sandbox.url}/accounting/api/2/Attachments/${guid}/content`, {
      headers: { authorization: `Bearer ${books.token}`, 'sandbox-company': 'demo-1', ...headers },
    });
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };

  test('of the made-up company have bytes of their size, whole and in ranges', async () => {
    const all = await allOfBooks(books, '/Attachments');
    const file = all.find(({ Uploaded }) => Uploaded);
    const whole = await content(file.Guid);
    expect(whole.bytes.length).toBe(file.Size);
    expect(whole.headers.get('content-type')).toBe(file.ContentType);
    const part = await content(file.Guid, { range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${file.Size}`]);
    expect(part.bytes.equals(whole.bytes.subarray(10, 20))).toBe(true);
    const end = await content(file.Guid, { range: 'bytes=-5' });
    expect(end.bytes.equals(whole.bytes.subarray(-5))).toBe(true);
    expect((await content(file.Guid, { range: `bytes=${file.Size}-` })).status).toBe(416);
    const missing = all.find(({ Uploaded }) => !Uploaded);
    expect((await content(missing.Guid)).status).toBe(404);
  });

  test('are uploaded raw and as a form, and read back', async () => {
    const { body: page } = await books.get('/SalesInvoices?pageSize=1');
    const invoice = page.SalesInvoices[0].Guid;
    const bytes = Buffer.from([0, 1, 2, 250, 13, 10, 45, 45]);
    const raw = await books.send(
      'POST',
      `/SalesInvoices/${invoice}/Attachments?fileName=raw.bin&reference=mark-1`,
      bytes,
      { 'content-type': 'application/x-thing' },
    );
    expect(raw.status).toBe(201);
    const file = raw.body.Attachments[0];
    expect(file).toMatchObject({
      FileName: 'raw.bin',
      ContentType: 'application/x-thing',
      Size: 8,
      Uploaded: true,
      AttachedTo: { Kind: 'SalesInvoices', Guid: invoice },
      Reference: 'mark-1',
    });
    expect((await content(file.Guid)).bytes.equals(bytes)).toBe(true);
    const form = new FormData();
    form.append('note', 'hello');
    form.append('file', new Blob([bytes], { type: 'image/png' }), 'form.png');
    const formed = await books.send('POST', `/SalesInvoices/${invoice}/Attachments`, form);
    expect(formed.body.Attachments[0]).toMatchObject({
      FileName: 'form.png',
      ContentType: 'image/png',
      Size: 8,
    });
    expect((await content(formed.body.Attachments[0].Guid)).bytes.equals(bytes)).toBe(true);
    const own = (await books.get(`/SalesInvoices/${invoice}/Attachments`)).body.Attachments;
    expect(own.map(({ FileName }: any) => FileName)).toEqual(expect.arrayContaining(['raw.bin', 'form.png']));
    expect((await books.get('/Attachments?reference=mark-1')).body.Attachments).toEqual([file]);
  });
});
