import type { Database } from '../db/database.js';
import { hashPlatformObject } from '../connectors/data-hash.js';
import type { UnifiedRecord } from '../connectors/connector.js';
import {
  connectCompany,
  createOrganisation,
  findOrCreateCompany,
  findOrganisation,
  organisationScope,
} from '../operations/organisations.js';
import { storeRecords } from '../operations/store-records.js';
import { records } from '../records/index.js';
import { createBooks, type DemoRecords } from './accounting.js';
import { createShop } from './ecommerce.js';
import { Random } from './random.js';

export const DEMO_ORGANISATION = 'Demo Organisation';
/** A second tenant, so that the walls between the two can be seen. */
export const OTHER_ORGANISATION = 'Other Organisation';

interface DemoCompany {
  readonly name: string;
  readonly seed: number;
  readonly categories: readonly ('ACCOUNTING' | 'ECOMMERCE')[];
}

const DEMO: Readonly<Record<string, readonly DemoCompany[]>> = {
  [DEMO_ORGANISATION]: [
    { name: 'Harbour Furniture', seed: 1, categories: ['ACCOUNTING', 'ECOMMERCE'] },
    { name: 'Ridge Consulting', seed: 2, categories: ['ACCOUNTING'] },
  ],
  [OTHER_ORGANISATION]: [{ name: 'Quiet Competitor', seed: 3, categories: ['ACCOUNTING', 'ECOMMERCE'] }],
};

/** Loads what is missing of the demo data; a load that was cut off goes on. Returns the svc_id of the demo organisation. */
export async function loadDemo(database: Database): Promise<number> {
  for (const [organisation, companies] of Object.entries(DEMO)) {
    const known = await findOrganisation(database.prisma, organisation);
    const { svcId } = known ?? (await createOrganisation(database.prisma, organisation));
    for (const company of companies) await loadCompany(database, svcId, company);
  }
  const demo = await findOrganisation(database.prisma, DEMO_ORGANISATION);
  if (!demo) throw new Error('the demo organisation is gone');
  return demo.svcId;
}

async function loadCompany(database: Database, organisationId: number, company: DemoCompany): Promise<void> {
  const scope = organisationScope(organisationId);
  const client = database.client(scope);
  const { svcId } = await findOrCreateCompany(client, scope, { name: company.name, baseCurrencyCode: 'AUD' });
  for (const category of company.categories) {
    const connection = await connectCompany(client, scope, {
      svcCompanyId: svcId,
      integrationType: 'SVC_SANDBOX',
      category,
      externalAccountId: `demo-${company.seed}`,
    });
    if (connection.lastSyncedAt) continue;
    const random = new Random(company.seed);
    const demo: DemoRecords = category === 'ACCOUNTING' ? createBooks(random) : createShop(random);
    for (const [dataModel, unified] of demo) {
      const definition = records.find((one) => one.dataModel === dataModel);
      if (!definition) throw new Error(`there is no record type ${dataModel}`);
      await storeRecords(database.sql(scope), {
        definition,
        svcCompanyId: svcId,
        connectionId: connection.svcId,
        integrationType: 'SVC_SANDBOX',
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

function asIncoming(record: UnifiedRecord) {
  const platform = { id: record.platformId, ...record.values, ...record.lines };
  const raw = { text: JSON.stringify(platform), altered: false };
  return { ...record, raw, dataHash: hashPlatformObject(platform), mapperVersion: 1 };
}
