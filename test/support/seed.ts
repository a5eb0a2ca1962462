import type { App } from '../../src/app.js';
import { hashPlatformObject } from '../../src/connectors/data-hash.js';
import type { UnifiedRecord } from '../../src/connectors/connector.js';
import {
  connectCompany,
  createOrganisation,
  findOrCreateCompany,
} from '../../src/operations/organisations/organisations.js';
import { type StoreCounts, storeRecords } from '../../src/store/store-records.js';
import { type Scope, organisationScope } from '../../src/db/scope.js';
import { definitionOf } from '../../src/records/index.js';

/** An organisation with one company and one connection, for a test file of its own. */
export interface Tenant {
  readonly organisationId: number;
  readonly scope: Scope;
  readonly companyId: number;
  readonly connectionId: number;
  /** Stores records of a type, as a pull does. */
  store(model: string, records: readonly UnifiedRecord[]): Promise<StoreCounts>;
  /** Another company of the organisation. */
  company(name: string, category?: string): Promise<Tenant>;
}

let made = 0;

export async function createTenant(app: App, name: string, category = 'ACCOUNTING'): Promise<Tenant> {
  made += 1;
  const unique = `${name} ${process.pid} ${made}`;
  const { svcId } = await createOrganisation(app.database.prisma, unique);
  return companyOf(app, svcId, `${name} company`, category);
}

async function companyOf(app: App, organisationId: number, name: string, category: string): Promise<Tenant> {
  const scope = organisationScope(organisationId);
  const client = app.database.client(scope);
  const company = await findOrCreateCompany(client, scope, { name, baseCurrencyCode: 'AUD' });
  const connection = await connectCompany(client, scope, {
    svcCompanyId: company.svcId,
    integrationType: 'SVC_SANDBOX',
    category,
    externalAccountId: 'test',
  });
  return {
    organisationId,
    scope,
    companyId: company.svcId,
    connectionId: connection.svcId,
    store: (model, records) =>
      storeRecords(app.database.sql(scope), {
        definition: definitionOf(model),
        svcCompanyId: company.svcId,
        connectionId: connection.svcId,
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
