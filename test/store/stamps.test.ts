import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorsOf } from '../../src/connectors/index.js';
import { findDocument, markUploaded } from '../../src/store/document-files.js';
import { remapOutdated } from '../../src/store/remap-records.js';
import { deleteBatch } from '../../src/store/store-records.js';
import { definitionOf, lineTypes, records } from '../../src/records/index.js';
import { admin } from '../support/admin.js';
import { fillCompany } from '../support/fill-company.js';
import { fullRecord } from '../support/full-record.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

/**
 * At the end of each transaction of the service: a row of records may have changed only where the stamp of its company and
 * type did, or that of all that the organisation has. Rows that tests write as the owner are no matter of it.
 */
const WATCH = `
CREATE FUNCTION test_note_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('test.stamped', concat(current_setting('test.stamped', true), ' ', CASE TG_TABLE_NAME
    WHEN 'change_heads' THEN 'organisation ' || NEW.svc_organisation_id
    ELSE (to_jsonb(NEW) ->> 'svc_company_id') || ' ' || (to_jsonb(NEW) ->> 'data_model') END, ','), true);
  RETURN NULL;
END $$;
CREATE TRIGGER test_note_passed AFTER UPDATE ON change_heads
  FOR EACH ROW WHEN (OLD.passed IS DISTINCT FROM NEW.passed) EXECUTE FUNCTION test_note_stamp();
CREATE TRIGGER test_note_new AFTER INSERT ON change_stamps FOR EACH ROW EXECUTE FUNCTION test_note_stamp();
CREATE TRIGGER test_note_stamp AFTER UPDATE ON change_stamps
  FOR EACH ROW WHEN (OLD.stamp IS DISTINCT FROM NEW.stamp) EXECUTE FUNCTION test_note_stamp();
CREATE FUNCTION test_require_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stamped text := COALESCE(current_setting('test.stamped', true), '');
  changed record;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF session_user = (SELECT tableowner FROM pg_tables WHERE tablename = TG_TABLE_NAME)
    OR stamped LIKE '% organisation ' || changed.svc_organisation_id || ',%'
    OR stamped LIKE '% ' || changed.svc_company_id || ' ' || TG_ARGV[0] || ',%'
  THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'a row of % changed without a stamp', TG_TABLE_NAME;
END $$;
${records.map(({ table, dataModel }) => watchSql(table, dataModel)).join('\n')}
-- Lines change with the record that they belong to, whatever its type.
${lineTypes.map(({ table }) => watchSql(table, '%')).join('\n')}`;

function watchSql(table: string, dataModel: string): string {
  return `CREATE CONSTRAINT TRIGGER test_require_stamp AFTER INSERT OR UPDATE OR DELETE ON ${table}
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_require_stamp('${dataModel}');`;
}

let app: App;
let acme: Tenant;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'stamps');
  await admin.pool.query(WATCH);
});
afterAll(() => app.close());

const stampsOf = async ({ organisationId, companyId }: Tenant): Promise<string> => {
  const head = await admin.prisma.changeHead.findUnique({ where: { svcOrganisationId: organisationId } });
  const stamps = await admin.prisma.changeStamp.findMany({
    where: { svcCompanyId: companyId },
    orderBy: { dataModel: 'asc' },
  });
  return JSON.stringify([
    head?.stamp,
    head?.passed,
    stamps.map(({ dataModel, stamp }) => [dataModel, stamp]),
  ]);
};

/** Runs what changes something; the stamps are others afterwards. */
async function stamps<Result>(change: () => Promise<Result>): Promise<Result> {
  const before = await stampsOf(acme);
  const result = await change();
  expect(await stampsOf(acme)).not.toBe(before);
  return result;
}

test('a change of records that leaves the stamps as they are is refused by this test', async () => {
  await acme.store('Account', [{ platformId: 'seen', values: { name: 'Seen' } }]);
  const sql = app.database.sql(acme.scope);
  for (const text of [
    `UPDATE accounts t SET name = 'Unseen'`,
    `DELETE FROM accounts t`,
    `UPDATE invoices t SET currency_id = NULL`,
  ]) {
    if (text.includes('invoices')) await acme.store('Invoice', [{ platformId: 'i', values: {} }]);
    const change = sql.rows(sql.query(), `${text} WHERE t.svc_organisation_id = $1`);
    await expect(change).rejects.toThrow('changed without a stamp');
  }
});

test.each(records.map(({ model }) => model))(
  '%s is stamped when it is made, changed, deleted and back',
  async (model) => {
    const definition = definitionOf(model);
    const record = fullRecord(definition, 'one');
    await stamps(() => acme.store(model, [record]));
    await stamps(() => acme.store(model, [{ ...record, platformUniqueId: 'another' }]));
    const target = {
      svcCompanyId: acme.companyId,
      connectionId: acme.connectionId,
      integrationType: 'SVC_SANDBOX',
      definition,
      cause: { kind: 'sync', id: null } as const,
    };
    const sql = app.database.sql(acme.scope);
    await stamps(() =>
      sql.transaction((transaction) => deleteBatch(transaction, { ...target, platformIds: ['one'] })),
    );
    await stamps(() => acme.store(model, [record]));
    const before = await stampsOf(acme);
    await acme.store(model, [record]);
    expect(await stampsOf(acme)).toBe(before);
  },
);

test('a document is stamped when its file is kept', async () => {
  await acme.store('Document', [{ platformId: 'paper', values: { fileName: 'paper.pdf' } }]);
  const sql = app.database.sql(acme.scope);
  const document = await findDocument(sql, acme.companyId, { platformId: 'paper' });
  if (!document) throw new Error('there is no document');
  const { dataHash } = document;
  const file = { storeKey: 'k', size: 1, sha256: 's', contentType: null, dataHash };
  await stamps(() => markUploaded(sql, { document, file, requestId: 'r' }));
});

test('records are stamped that another version of their mapper makes again', async () => {
  const [connector] = connectorsOf('SVC_SANDBOX');
  if (!connector) throw new Error('there is no connector');
  await admin.pool.query('UPDATE accounts SET mapper_version = 77 WHERE svc_company_id = $1', [
    acme.companyId,
  ]);
  const target = {
    svcCompanyId: acme.companyId,
    connectionId: acme.connectionId,
    integrationType: 'SVC_SANDBOX',
  };
  const hold = async () => undefined;
  await remapOutdated({ sql: app.database.sql(acme.scope), connector, target, syncId: null, hold });
});

test('mappings of fields stamp all that the organisation has', async () => {
  const caller = await createCaller(app, acme.organisationId);
  const mapping = {
    integration_type: 'SVC_SANDBOX',
    data_model: 'ACCOUNTS',
    name: 'colour',
    path: 'colour',
    type: 'TEXT',
  };
  const { status, body } = await stamps(() => caller.post('/v3/core/field_mappings', mapping));
  expect([200, 201]).toContain(status);
  const path = `/v3/core/field_mappings/${body.data.svc_id}`;
  expect((await stamps(() => caller.put(path, { path: 'shade' }))).status).toBe(200);
  expect((await stamps(() => caller.remove(path))).status).toBe(200);
});

test('a company is removed without a row that goes unseen', async () => {
  const doomed = await acme.company('doomed');
  await fillCompany(app, doomed);
  const caller = await createCaller(app, acme.organisationId);
  const { status } = await stamps(() => caller.remove(`/v3/core/companies/${doomed.companyId}`));
  expect(status).toBe(200);
  expect(await admin.prisma.changeStamp.count({ where: { svcCompanyId: doomed.companyId } })).toBe(0);
});
