import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { type Lookups } from '../../src/connectors/pull.js';
import { toContact } from '../../src/connectors/xero/mappers/contact.js';
import { toItem } from '../../src/connectors/xero/mappers/item.js';
import { toJournalEntry } from '../../src/connectors/xero/mappers/journal-entry.js';
import { toPurchaseOrder } from '../../src/connectors/xero/mappers/purchase-order.js';
import { xero } from '../../src/connectors/xero/index.js';
import { packagePath } from '../../src/package-path.js';
import { type Ended, startProcess } from '../support/process.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp, testDatabaseUrl } from '../support/service.js';
// Plain Node, shared with nobody but tests.
import { exampleOf } from '../../scripts/platforms/xero-mock.js';
import { mock } from './mock.js';
import { admin } from '../support/admin.js';

type Example = Record<string, any>;
let app: App;
let acme: Tenant;
let organisation: string;
let caller: Caller;
let companyId: number;
let output: string;

/** `npm run pull` as a person runs it: a process of its own. */
function pull(baseUrl: string): Promise<Ended> {
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
  return startProcess([packagePath('dist/cli/pull.js'), ...args, '--access-token', 'any'], {
    env: { ...process.env, DATABASE_URL: testDatabaseUrl(), LOG_LEVEL: 'silent' },
  }).ended;
}

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'xero');
  caller = await createCaller(app, acme.organisationId);
  const row = await admin.prisma.organisation.findUniqueOrThrow({
    where: { svcId: BigInt(acme.organisationId) },
  });
  organisation = row.name;
  const { code, stdout, stderr } = await pull(mock.url);
  if (code !== 0) throw new Error(stderr);
  output = stdout;
  const { body } = await caller.graphql(
    '{ companies(filter: { name: { eq: "Demo AU" } }) { nodes { svcId } } }',
  );
  companyId = body.data.companies.nodes[0].svcId;
});
afterAll(() => app?.close());

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
    for (const { definition } of xero.pulls) expect(output).toContain(definition.dataModel);
    expect(output).toMatch(/Made the company Demo AU \(svc_company_id \d+\)/);
    expect(output).toMatch(/\d+ records read, \d+ of them stored as new or changed/);
  });

  test('changes nothing the second time and says so', async () => {
    const before = await admin.pool.query(
      'SELECT count(*) FROM record_changes WHERE svc_organisation_id = $1',
      [acme.organisationId],
    );
    const { stdout } = await pull(mock.url);
    expect(stdout).toMatch(/Nothing changed: all \d+ records were here already/);
    const after = await admin.pool.query(
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

  test('brings the tax rates with their components', async () => {
    const stored = await rest('accounting/tax_rates');
    expect(stored).toHaveLength(examples('TaxRates').length);
    for (const example of examples('TaxRates')) {
      const rate = stored.find(({ platform_id }) => platform_id === example['TaxType']);
      expect(rate).toMatchObject({
        code: example['TaxType'],
        name: example['Name'],
        tax_type: example['ReportTaxType'],
        effective_tax_rate: example['EffectiveRate'],
        total_tax_rate: example['DisplayTaxRate'],
        components: example['TaxComponents'].map(({ Name, Rate, IsCompound }: Example) => ({
          name: Name,
          rate: Rate,
          is_compound: IsCompound,
        })),
        raw_data: example,
      });
    }
  });

  // The example's categories have no options; test/connectors covers those.
  test('brings the tracking categories', async () => {
    const stored = await rest('accounting/tracking_categories');
    expect(stored).toHaveLength(examples('TrackingCategories').length);
    for (const example of examples('TrackingCategories')) {
      expect(stored.find(({ platform_id }) => platform_id === example['TrackingCategoryID'])).toMatchObject({
        name: example['Name'],
        status: example['Status'],
        has_children: false,
      });
    }
  });

  test('brings the items, their accounts by code', async () => {
    const stored = await rest('accounting/items');
    const accounts = examples('Accounts');
    expect(stored).toHaveLength(examples('Items').length);
    for (const example of examples('Items')) {
      const { UnitPrice, TaxType, AccountCode } = example['SalesDetails'];
      const account = accounts.find(({ Code }) => Code !== '' && Code === AccountCode);
      const item = stored.find(({ platform_id }) => platform_id === example['ItemID']);
      expect(item).toMatchObject({
        code: example['Code'],
        name: example['Name'],
        status: 'ACTIVE',
        type: example['IsTrackedAsInventory'] ? 'INVENTORY' : 'UNKNOWN',
        is_bill_item: example['IsPurchased'],
        is_invoice_item: example['IsSold'],
        invoice_item: {
          account_id: account?.['AccountID'] ?? null,
          tax_id: TaxType ?? null,
          unit_price: UnitPrice ?? null,
          description: example['Description'],
        },
        raw_data: example,
      });
    }
  });

  test('brings the ways to reach the contacts', async () => {
    const stored = await rest('accounting/contacts?expand=phone_numbers,addresses,external_links');
    for (const example of examples('Contacts')) {
      const contact = stored.find(({ platform_id }) => platform_id === example['ContactID']);
      const phones = example['Phones'].filter(({ PhoneNumber }: Example) => PhoneNumber);
      const places = example['Addresses'].filter(({ City }: Example) => City);
      expect(contact?.['phone_numbers']).toMatchObject(
        phones.map(({ PhoneAreaCode, PhoneNumber }: Example) => ({
          number: `${PhoneAreaCode} ${PhoneNumber}`,
          type: 'TELEPHONE',
        })),
      );
      expect(contact?.['addresses']).toMatchObject(
        places.map(({ City, PostalCode, Country }: Example) => ({
          data_model: 'CONTACTS',
          data_model_id: example['ContactID'],
          type: 'BILLING',
          city: City,
          pincode: PostalCode,
          country: Country,
        })),
      );
      expect(contact?.['external_links']).toMatchObject([{ link: example['EmailAddress'], type: 'EMAIL' }]);
    }
  });

  // All the invoices of the example are sales.
  test('brings the bills', async () => {
    const bills = examples('Invoices').filter(({ Type }) => Type === 'ACCPAY');
    expect(await rest('accounting/bills')).toHaveLength(bills.length);
  });

  test('brings the credit notes of suppliers', async () => {
    const notes = examples('CreditNotes').filter(({ Type }) => Type === 'ACCPAYCREDIT');
    expect(notes.length).toBeGreaterThan(0);
    const stored = await rest('accounting/bill_credit_notes');
    expect(stored).toHaveLength(notes.length);
    for (const example of notes) {
      expect(stored.find(({ platform_id }) => platform_id === example['CreditNoteID'])).toMatchObject({
        contact_id: example['Contact'].ContactID,
        document_number: text(example['CreditNoteNumber']),
        total_amount: example['Total'],
        remaining_credit: example['RemainingCredit'],
        posted_date: day(example['Date']),
        status: example['Status'],
        bill_ids: [],
      });
    }
  });

  // Both purchase orders of the example are deleted ones.
  test('brings the purchase orders, those that are deleted too', async () => {
    expect(await rest('accounting/purchase_orders')).toEqual([]);
    const stored = await rest('accounting/purchase_orders?include_deleted_records=true&expand=line_items');
    expect(stored).toHaveLength(examples('PurchaseOrders').length);
    for (const example of examples('PurchaseOrders')) {
      const order = stored.find(({ platform_id }) => platform_id === example['PurchaseOrderID']);
      expect(order).toMatchObject({
        contact_id: example['Contact'].ContactID,
        document_number: example['PurchaseOrderNumber'],
        posted_date: day(example['Date']),
        sub_total: example['SubTotal'],
        total_amount: example['Total'],
        status: 'VOID',
        svc_deleted_at: expect.stringMatching(/Z$/),
        line_items: example['LineItems'].map(({ Description, LineAmount, LineItemID }: Example) =>
          expect.objectContaining({
            platform_id: LineItemID,
            description: Description,
            sub_total: LineAmount,
          }),
        ),
      });
    }
  });

  test('brings the payments, of invoices and of credit notes', async () => {
    const stored = await rest('accounting/invoice_payments');
    expect(stored).toHaveLength(examples('Payments').length);
    expect(await rest('accounting/bill_payments')).toEqual([]);
    for (const example of examples('Payments')) {
      const { InvoiceID, Contact, CurrencyCode } = example['Invoice'];
      const ofInvoice = example['PaymentType'] === 'ACCRECPAYMENT';
      expect(stored.find(({ platform_id }) => platform_id === example['PaymentID'])).toMatchObject({
        payment_id: example['PaymentID'],
        invoice_id: ofInvoice ? InvoiceID : null,
        credit_note_id: ofInvoice ? null : InvoiceID,
        account_id: example['Account'].AccountID,
        contact_id: Contact.ContactID,
        currency_id: CurrencyCode,
        currency_rate: '1',
        amount: example['Amount'],
        document_number: text(example['Reference']),
        payment_date: day(example['Date']),
      });
    }
  });

  test('brings the bank transactions and transfers', async () => {
    const stored = await rest('accounting/bank_transactions');
    const transactions = examples('BankTransactions');
    const transfers = examples('BankTransfers');
    expect(stored).toHaveLength(transactions.length + transfers.length);
    for (const example of transactions) {
      expect(stored.find(({ platform_id }) => platform_id === example['BankTransactionID'])).toMatchObject({
        account_id: example['BankAccount'].AccountID,
        contact_id: example['Contact'].ContactID,
        currency_id: example['CurrencyCode'],
        amount: example['Total'],
        debit_or_credit: example['Type'].startsWith('RECEIVE') ? 'CREDIT' : 'DEBIT',
        type: example['Type'],
        status: example['Status'],
        transaction_date: day(example['Date']),
        raw_data: example,
      });
    }
    for (const example of transfers) {
      const id = `BankTransfer:${example['BankTransferID']}`;
      expect(stored.find(({ platform_id }) => platform_id === id)).toMatchObject({
        account_id: null,
        from_account_id: example['FromBankAccount'].AccountID,
        to_account_id: example['ToBankAccount'].AccountID,
        amount: example['Amount'],
        debit_or_credit: null,
        transaction_date: `${example['DateString'].slice(0, 10)}T00:00:00.000Z`,
        raw_data: example,
      });
    }
  });

  test('brings the manual journals', async () => {
    const stored = await rest('accounting/journal_entries');
    expect(stored).toHaveLength(examples('ManualJournals').length);
    for (const example of examples('ManualJournals')) {
      expect(stored.find(({ platform_id }) => platform_id === example['ManualJournalID'])).toMatchObject({
        description: example['Narration'],
        posted_date: day(example['Date']),
        journal_entry_type: 'both',
        currency_rate: 1,
        raw_data: example,
      });
    }
  });

  test('brings the files of records that have some', async () => {
    const stored = await rest('accounting/documents');
    const attachments = ['CreditNotes', 'ManualJournals'].flatMap((parents) => {
      const idName = `${parents.slice(0, -1)}ID`;
      const [parent] = examples(parents).filter(({ HasAttachments }) => HasAttachments);
      const { Attachments } = exampleOf(mock.examples, `/${parents}/{${idName}}/Attachments`);
      return Attachments.map((attachment: Example) => ({
        ...attachment,
        type: parents === 'CreditNotes' ? 'INVOICE_CREDIT_NOTES' : 'JOURNAL_ENTRIES',
        parent: parent?.[idName],
      }));
    }) as Example[];
    expect(stored).toHaveLength(attachments.length);
    for (const { AttachmentID, FileName, ContentLength, MimeType, type, parent } of attachments) {
      expect(stored.find(({ platform_id }) => platform_id === AttachmentID)).toMatchObject({
        document_type: type,
        document_type_id: parent,
        document_uploaded: false,
        file_name: FileName,
        file_size: String(ContentLength),
        file_type: MimeType,
        raw_data: expect.objectContaining({ AttachmentID, FileName }),
      });
    }
  });

  test('says clearly that the platform is away, and exits with 1', async () => {
    expect(await pull('http://127.0.0.1:9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'Xero at http://127.0.0.1:9/Currencies could not be reached: the connection was refused',
      ),
    });
  });

  test('says clearly that the answer is rubbish: here, our own home page', async () => {
    expect(await pull(app.url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Xero at ${app.url}`),
    });
  });
});

/** Lists leave out what Xero's examples of single objects show: lines, stock, a delivery address. */
describe("Xero's official examples of single objects", () => {
  const single = (list: string) => {
    const path = `/${list}/{${list.slice(0, -1)}ID}`;
    return exampleOf(mock.examples, path)[list][0];
  };
  const codes: Lookups = { baseCurrency: 'NZD', platformIdOf: (_dataModel, _field, code) => `id of ${code}` };

  test('a manual journal has its lines on two sides', () => {
    const example = single('ManualJournals');
    const record = toJournalEntry(example, codes);
    expect(record).toMatchObject({ unresolved: false, values: { amount: '100', currencyId: 'NZD' } });
    expect(record.lines?.['journalLines']).toMatchObject(
      example.JournalLines.map(({ AccountID, LineAmount, TaxType }: Example) => ({
        values: {
          accountId: AccountID,
          type: LineAmount > 0 ? 'DEBIT' : 'CREDIT',
          netAmount: '100',
          taxId: TaxType,
        },
      })),
    );
  });

  test('an item that is tracked has the account of the cost of goods sold', () => {
    expect(toItem(single('Items'), codes).values).toMatchObject({
      type: 'INVENTORY',
      quantityOnHand: '10',
      billItemAccountId: 'id of 310',
      billItemUnitPrice: '2500',
      invoiceItemAccountId: 'id of 200',
    });
  });

  test('a purchase order has its delivery address and what its line is tagged with', () => {
    const example = single('PurchaseOrders');
    const record = toPurchaseOrder(example, codes);
    expect(record).toMatchObject({
      values: { deliveryDate: '2019-03-28', description: 'foobar', status: 'DRAFT', totalDiscount: '250' },
      lines: {
        addresses: [{ values: { type: 'SHIPPING', street: example.DeliveryAddress } }],
        lineItems: [
          {
            values: {
              itemId: 'id of 123',
              accountId: 'id of 630',
              totalDiscount: '250',
              trackingCategoryIds: [example.LineItems[0].Tracking[0].TrackingOptionID],
            },
          },
        ],
      },
    });
  });

  test('a contact has all kinds of phones and addresses', () => {
    expect(toContact(single('Contacts')).lines).toMatchObject({
      phoneNumbers: [
        { values: { number: '4 345 489-44493', type: 'TELEPHONE' } },
        { values: { number: '1 604 408-0914', type: 'TELEPHONE' } },
        { values: { number: '2 123 123-9933', type: 'FAX' } },
        { values: { number: '3 234 999-44', type: 'MOBILE' } },
      ],
      addresses: [
        { values: { type: 'SHIPPING', street: '123 Fake Street', state: 'British Columbia' } },
        { values: { type: 'BILLING', street: '1234 Fake Street', pincode: 'V6B 2T4' } },
      ],
      externalLinks: [
        { values: { link: 'bk@krave.co', type: 'EMAIL' } },
        { values: { link: 'http://www.google.com', type: 'WEBSITE' } },
      ],
    });
  });
});
