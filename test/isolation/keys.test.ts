import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

let app: App;
let mine: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  app = await startApp();
  mine = await createTenant(app, 'keys');
  theirs = await createTenant(app, 'keys of others');
});
afterAll(() => app.close());

/** Tables with rows of companies; the change log and its stamps, the events beside it, the audit trail and field mappings belong to the organisation. */
const TABLES = `SELECT c.oid, c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'svc_company_id'
    AND NOT c.relispartition AND c.relname NOT IN ('audit_events', 'service_events', 'field_mappings', 'change_stamps')`;
const COLUMNS = (table: string, numbers: string) =>
  `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY k (number, place)
     JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number ORDER BY k.place)`;

describe('in every table of companies', () => {
  test('unique indexes begin with the company', async () => {
    const { rows } = await admin.pool.query<{ name: string; columns: string[] }>(
      `SELECT i.indexrelid::regclass::text AS name, ${COLUMNS('t.oid', 'i.indkey::int2[]')} AS columns
       FROM (${TABLES}) t JOIN pg_index i ON i.indrelid = t.oid WHERE i.indisunique`,
    );
    expect(rows.length).toBeGreaterThan(70);
    expect(rows.filter(({ columns }) => columns[0] !== 'svc_company_id')).toEqual([]);
  });

  test('foreign keys carry the company, change nothing in other rows, and lead to the company of the organisation', async () => {
    const { rows } = await admin.pool.query<{
      name: string;
      target: string;
      update: string;
      columns: string[];
    }>(
      `SELECT t.name, f.confrelid::regclass::text AS target, f.confupdtype AS update,
         ${COLUMNS('t.oid', 'f.conkey')} AS columns
       FROM (${TABLES}) t JOIN pg_constraint f ON f.conrelid = t.oid AND f.contype = 'f'`,
    );
    const toCompany = ['svc_organisation_id', 'svc_company_id'];
    for (const { name, target, update, columns } of rows) {
      const begins = target === 'companies' ? columns : columns.slice(0, 1);
      expect({ name, target, update, begins }).toEqual({
        name,
        target,
        update: 'a',
        begins: target === 'companies' ? toCompany : ['svc_company_id'],
      });
    }
    const { rows: tables } = await admin.pool.query<{ name: string }>(TABLES);
    const led = new Set(rows.filter(({ target }) => target === 'companies').map(({ name }) => name));
    expect(tables.map(({ name }) => name).filter((name) => !led.has(name))).toEqual([]);
  });
});

test('the change log and its heads begin with the organisation', async () => {
  const { rows } = await admin.pool.query<{ columns: string[] }>(
    `SELECT ${COLUMNS('i.indrelid', 'i.indkey::int2[]')} AS columns FROM pg_index i
     WHERE i.indrelid IN ('record_changes'::regclass, 'change_heads'::regclass, 'change_stamps'::regclass)
       OR (i.indisunique AND i.indrelid IN ('service_events'::regclass, 'event_heads'::regclass))`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(new Set(rows.map(({ columns }) => columns[0]))).toEqual(new Set(['svc_organisation_id']));
});

test('no row names a company of another organisation, also when its owner writes it', async () => {
  const owner = { svcOrganisationId: BigInt(theirs.organisationId), svcCompanyId: BigInt(mine.companyId) };
  await expect(
    admin.prisma.activity.create({ data: { ...owner, activityType: 'COMPANY_CREATED' } }),
  ).rejects.toThrow('Foreign key constraint');
  await mine.store('Currency', [{ platformId: 'aud', values: { code: 'AUD' } }]);
  await expect(
    admin.prisma.currency.updateMany({
      where: { svcCompanyId: owner.svcCompanyId },
      data: { svcOrganisationId: owner.svcOrganisationId },
    }),
  ).rejects.toThrow('Foreign key constraint');
});

test('a record leads to its company and its connection', async () => {
  await mine.store('Contact', [{ platformId: 'ann', values: { name: 'Ann' } }]);
  const contact = await admin.prisma.contact.findFirstOrThrow({
    where: { svcCompanyId: BigInt(mine.companyId) },
    include: { company: true, connection: true },
  });
  expect([Number(contact.company.svcId), Number(contact.connection.svcId)]).toEqual([
    mine.companyId,
    mine.connectionId,
  ]);
});
