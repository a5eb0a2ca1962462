import { hashPlatformObject } from '../connectors/data-hash.js';
import type { UnifiedRecord } from '../connectors/connector.js';
import type { PrismaClient } from '../db/__generated__/client.js';
import type { Database } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import {
  connectCompany,
  createOrganisation,
  findOrCreateCompany,
  findOrganisation,
  organisationScope,
} from '../operations/organisations.js';
import { storeRecords } from '../operations/store-records.js';
import type { Category } from '../records/define.js';
import { records } from '../records/index.js';
import { createBooks } from '../sandbox/world/accounting/books.js';
import { DEMO_COMPANIES, DEMO_ORGANISATION, type DemoCompany } from './companies.js';
import type { DemoRecords } from '../sandbox/world/demo-records.js';
import { createShop } from '../sandbox/world/ecommerce/shop.js';
import { createGateway } from '../sandbox/world/payments/gateway.js';
import { Random } from '../sandbox/world/random.js';

export { DEMO_ORGANISATION };

/** No platform: the records of these connections are made here. */
const INTEGRATION = 'SVC_SANDBOX';

/** Loads what is missing of the demo data; a load that was cut off goes on. Returns the svc_id of the demo organisation. */
export async function loadDemo(database: Database): Promise<number> {
  const { prisma } = database;
  if (!(await isLoaded(prisma))) {
    for (const company of DEMO_COMPANIES) {
      const known = await findOrganisation(prisma, company.organisation);
      const { svcId } = known ?? (await createOrganisation(prisma, company.organisation));
      await loadCompany(database, organisationScope(svcId), company);
    }
  }
  const demo = await findOrganisation(prisma, DEMO_ORGANISATION);
  if (!demo) throw new Error('the demo organisation is gone');
  return demo.svcId;
}

/** Whether every demo connection is complete, by one query. */
async function isLoaded(prisma: PrismaClient): Promise<boolean> {
  const complete = await prisma.connection.count({
    where: {
      integrationType: INTEGRATION,
      lastSyncedAt: { not: null },
      OR: DEMO_COMPANIES.map(({ organisation, name, seed, categories }) => ({
        externalAccountId: accountOf(seed),
        category: { in: [...categories] },
        company: { name, organisation: { name: organisation } },
      })),
    },
  });
  return complete >= DEMO_COMPANIES.flatMap(({ categories }) => categories).length;
}

const accountOf = (seed: number): string => `demo-${seed}`;

async function loadCompany(database: Database, scope: Scope, company: DemoCompany): Promise<void> {
  const client = database.client(scope);
  const { svcId } = await findOrCreateCompany(client, scope, { name: company.name, baseCurrencyCode: 'AUD' });
  for (const category of company.categories) {
    const connection = await connectCompany(client, scope, {
      svcCompanyId: svcId,
      integrationType: INTEGRATION,
      category,
      externalAccountId: accountOf(company.seed),
    });
    if (connection.lastSyncedAt) continue;
    for (const [dataModel, unified] of createRecords(category, company)) {
      const definition = records.find((one) => one.dataModel === dataModel);
      if (!definition) throw new Error(`there is no record type ${dataModel}`);
      await storeRecords(database.sql(scope), {
        definition,
        svcCompanyId: svcId,
        connectionId: connection.svcId,
        integrationType: INTEGRATION,
        cause: { kind: 'demo', id: null },
        records: unified.map(asIncoming),
      });
    }
    await client.connection.update({
      where: { svcCompanyId_svcId: { svcCompanyId: BigInt(svcId), svcId: BigInt(connection.svcId) } },
      data: { lastSyncedAt: new Date() },
    });
  }
}

function createRecords(category: Category, { seed, trade }: DemoCompany): DemoRecords {
  const random = new Random(seed);
  switch (category) {
    case 'ACCOUNTING':
      return createBooks(random, trade);
    case 'PAYMENTS':
      return createGateway(random);
    case 'ECOMMERCE':
      return createShop(random);
    default:
      return category satisfies never;
  }
}

function asIncoming(record: UnifiedRecord) {
  const platform = { id: record.platformId, ...record.values, ...record.lines };
  const raw = { text: JSON.stringify(platform), altered: false };
  return { ...record, raw, dataHash: hashPlatformObject(platform), mapperVersion: 1 };
}
