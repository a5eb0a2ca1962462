import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { packagePath } from '../../src/package-path.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp, testDatabaseUrl } from '../support/service.js';
// Plain Node, shared with nobody but this test.
import { exampleOf, startXeroMock } from '../../scripts/platforms/xero-mock.js';

const run = promisify(execFile);

type Example = Record<string, any>;
let mock: { url: string; examples: Example; stop(): Promise<void> };
let app: App;
let acme: Tenant;
let organisation: string;
let caller: Caller;
let companyId: number;
let output: string;

/** `npm run pull` as a person runs it: a process of its own. */
async function pull(baseUrl: string) {
  const args = [
    '--integration',
    'XERO',
    '--company',
    'Demo AU',
    '--organisation',
    organisation,
    '--base-url',
    baseUrl,
  ];
  return run(process.execPath, [packagePath('dist/cli/pull.js'), ...args, '--access-token', 'any'], {
    env: { ...process.env, DATABASE_URL: testDatabaseUrl(), LOG_LEVEL: 'silent' },
  });
}

beforeAll(async () => {
  mock = await startXeroMock();
  app = await startApp();
  acme = await createTenant(app, 'xero');
  caller = await createCaller(app, acme.organisationId);
  const row = await app.database.prisma.organisation.findUniqueOrThrow({
    where: { svcId: BigInt(acme.organisationId) },
  });
  organisation = row.name;
  output = (await pull(mock.url)).stdout;
  const { body } = await caller.graphql(
    '{ companies(filter: { name: { eq: "Demo AU" } }) { nodes { svcId } } }',
  );
  companyId = body.data.companies.nodes[0].svcId;
}, 600_000);
afterAll(async () => {
  await app?.close();
  await mock?.stop();
});

const examples = (resource: string): Example[] => exampleOf(mock.examples, `/${resource}`)[resource];
const rest = async (path: string) =>
  (
    await caller.get(
      `/v3/${path}${path.includes('?') ? '&' : '?'}svc_company_id[eq]=${companyId}&select=raw_data&limit=1000`,
    )
  ).body.data as Example[];
/** `/Date(1552595972920+0000)/` read independently of the connector. */
const instant = (date: string) => new Date(Number(/\((-?\d+)/.exec(date)?.[1])).toISOString();
const day = (date: string) => `${instant(date).slice(0, 10)}T00:00:00.000Z`;
const text = (value: string | undefined) => value || null;

describe("npm run pull, from the examples of Xero's official API description", () => {
  test('prints a line per record type and a summary', () => {
    for (const line of ['CURRENCIES', 'ACCOUNTS', 'CONTACTS', 'INVOICES', 'INVOICE_CREDIT_NOTES'])
      expect(output).toContain(line);
    expect(output).toMatch(/Made the company Demo AU \(svc_company_id \d+\)/);
    expect(output).toMatch(/\d+ records read, \d+ of them stored as new or changed/);
  });

  test('changes nothing the second time and says so', async () => {
    const before = await app.database.pool.query(
      'SELECT count(*) FROM record_changes WHERE svc_organisation_id = $1',
      [acme.organisationId],
    );
    const { stdout } = await pull(mock.url);
    expect(stdout).toMatch(/Nothing changed: all \d+ records were here already/);
    const after = await app.database.pool.query(
      'SELECT count(*) FROM record_changes WHERE svc_organisation_id = $1',
      [acme.organisationId],
    );
    expect(after.rows).toEqual(before.rows);
  });

  test('brings the currencies', async () => {
    const stored = await rest('accounting/currencies');
    expect(stored.map(({ platform_id, code, name }) => ({ platform_id, code, name }))).toEqual(
      examples('Currencies').map(({ Code, Description }) => ({
        platform_id: Code,
        code: Code,
        name: Description,
      })),
    );
  });

  test('brings the accounts with codes and kinds, their raw data as it was sent', async () => {
    const stored = await rest('accounting/accounts');
    expect(stored).toHaveLength(examples('Accounts').length);
    for (const example of examples('Accounts')) {
      const account = stored.find(({ platform_id }) => platform_id === example['AccountID']);
      expect(account).toMatchObject({
        nominal_code: text(example['Code']),
        name: example['Name'],
        sub_category: example['Type'],
        updated_at: example['UpdatedDateUTC'] ? instant(example['UpdatedDateUTC']) : null,
        raw_data: example,
      });
    }
    expect(stored.map(({ category }) => category)).toEqual(expect.arrayContaining(['BANK', 'INCOME']));
  });

  test('brings the contacts', async () => {
    const stored = await rest('accounting/contacts');
    expect(stored).toHaveLength(examples('Contacts').length);
    for (const example of examples('Contacts')) {
      expect(stored.find(({ platform_id }) => platform_id === example['ContactID'])).toMatchObject({
        name: example['Name'],
        status: example['ContactStatus'],
        contact_type: example['IsCustomer'] ? 'CUSTOMER' : example['IsSupplier'] ? 'VENDOR' : null,
        updated_at: instant(example['UpdatedDateUTC']),
      });
    }
  });

  test('brings the invoices with dates such as /Date(1552595972920+0000)/ and decimals', async () => {
    const sales = examples('Invoices').filter(({ Type }) => Type === 'ACCREC');
    expect(sales.length).toBeGreaterThan(0);
    const stored = await rest('accounting/invoices?expand=line_items');
    expect(stored).toHaveLength(sales.length);
    for (const example of sales) {
      const invoice = stored.find(({ platform_id }) => platform_id === example['InvoiceID']);
      expect(invoice).toMatchObject({
        contact_id: example['Contact'].ContactID,
        document_number: example['InvoiceNumber'],
        posted_date: day(example['Date']),
        due_date: day(example['DueDate']),
        total_amount: example['Total'],
        amount_due: example['AmountDue'],
        sub_total: example['SubTotal'],
        tax_amount: example['TotalTax'],
        currency_id: example['CurrencyCode'],
        updated_at: instant(example['UpdatedDateUTC']),
        raw_data: example,
      });
      expect(invoice?.['line_items']).toHaveLength((example['LineItems'] ?? []).length);
    }
  });

  test('brings the credit notes to customers, over GraphQL as over REST', async () => {
    const notes = examples('CreditNotes').filter(({ Type }) => Type === 'ACCRECCREDIT');
    expect(notes.length).toBeGreaterThan(0);
    const stored = await rest('accounting/invoice_credit_notes?expand=line_items,contact,currency,invoices');
    const { body } = await caller.graphql(
      `query ($id: SvcId) { invoiceCreditNotes(companyId: $id) { totalCount nodes {
        platformId totalAmount remainingCredit postedDate updatedAt connection { integrationType lastSyncedAt } rawData } } }`,
      { id: companyId },
    );
    const { nodes, totalCount } = body.data.invoiceCreditNotes;
    expect(totalCount).toBe(notes.length);
    for (const example of notes) {
      const note = stored.find(({ platform_id }) => platform_id === example['CreditNoteID']);
      expect(note).toMatchObject({
        document_number: example['CreditNoteNumber'],
        total_amount: example['Total'],
        remaining_credit: example['RemainingCredit'],
        posted_date: day(example['Date']),
      });
      expect(nodes.find(({ platformId }: Example) => platformId === example['CreditNoteID'])).toMatchObject({
        totalAmount: String(example['Total']),
        postedDate: day(example['Date']).slice(0, 10),
        updatedAt: instant(example['UpdatedDateUTC']),
        connection: { integrationType: 'XERO', lastSyncedAt: expect.stringMatching(/Z$/) },
        rawData: example,
      });
    }
  });

  test('says clearly that the platform is away, and exits with 1', async () => {
    await expect(pull('http://127.0.0.1:9')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'Xero at http://127.0.0.1:9/Currencies could not be reached: nothing listens there',
      ),
    });
  });

  test('says clearly that the answer is rubbish: here, our own home page', async () => {
    await expect(pull(app.url)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Xero at ${app.url}`),
    });
  });
});
