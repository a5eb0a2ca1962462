import type { App } from '../../src/app.js';
import { hashPlatformObject } from '../../src/connectors/values/data-hash.js';
import type { UnifiedRecord } from '../../src/connectors/pull.js';
import { createOrganisation } from '../../src/operations/organisations/organisations.js';
import { type StoreCounts, storeRecords } from '../../src/store/store-records.js';
import { type Scope, organisationScope } from '../../src/db/scope.js';
import { definitionOf } from '../../src/records/index.js';
import { admin } from './admin.js';

/** An organisation with one company and one connection, for a single test file. */
export interface Tenant {
  readonly organisationId: number;
  readonly scope: Scope;
  readonly companyId: number;
  readonly connectionId: number;
  /** Stores records of a type as a pull does. */
  store(model: string, records: readonly UnifiedRecord[]): Promise<StoreCounts>;
  /** Another company of the organisation. */
  company(name: string, category?: string): Promise<Tenant>;
}

let made = 0;

export async function createTenant(app: App, name: string, category = 'ACCOUNTING'): Promise<Tenant> {
  made += 1;
  const unique = `${name} ${process.pid} ${made}`;
  const { svcId } = await createOrganisation(admin.prisma, unique);
  return companyOf(app, svcId, `${name} company`, category);
}

async function companyOf(app: App, organisationId: number, name: string, category: string): Promise<Tenant> {
  const scope = organisationScope(organisationId);
  const client = app.database.client(scope);
  const owner = { svcOrganisationId: BigInt(organisationId) };
  const { svcId } =
    (await client.company.findFirst({ where: { name } })) ??
    (await client.company.create({ data: { ...owner, name, baseCurrencyCode: 'AUD' } }));
  const key = { svcCompanyId: svcId, integrationType: 'SVC_SANDBOX', category, externalAccountId: 'test' };
  const connection = await client.connection.upsert({
    where: { svcCompanyId_integrationType_category_externalAccountId: key },
    create: { ...owner, ...key, status: 'HEALTHY', baseCurrencyCode: 'AUD' },
    update: {},
  });
  const companyId = Number(svcId);
  const connectionId = Number(connection.svcId);
  return {
    organisationId,
    scope,
    companyId,
    connectionId,
    store: (model, records) =>
      storeRecords(app.database.sql(scope), {
        definition: definitionOf(model),
        svcCompanyId: companyId,
        connectionId,
        integrationType: 'SVC_SANDBOX',
        cause: { kind: 'sync', id: null },
        records: records.map((record) => {
          const platform = { id: record.platformId, ...record };
          const raw = { text: JSON.stringify(platform), altered: false };
          return { ...record, raw, dataHash: hashPlatformObject(platform), mapperVersion: 1 };
        }),
      }),
    company: (other, otherCategory = category) => companyOf(app, organisationId, other, otherCategory),
  };
}
