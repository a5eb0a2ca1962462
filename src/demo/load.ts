import { beginAuthorization, CALLBACK_PATH, finishAuthorization } from '../connect/authorization.js';
import { findLink, type OpenLink } from '../connect/find-link.js';
import type { OwnerDatabase } from '../db/database.js';
import { findOrCreateCompany } from '../operations/companies/companies.js';
import { insertInviteLink } from '../operations/links/write-invite-links.js';
import { createOrganisation, findOrganisation } from '../operations/organisations/organisations.js';
import { inTransaction } from '../db/in-transaction.js';
import { organisationScope } from '../db/scope.js';
import type { Category } from '../records/define.js';
import type { SyncEngine } from '../sync/engine.js';
import { withSeededIds } from '../runs/random-id.js';
import { runSync } from '../sync/run-sync.js';
import type { WriteEngine } from '../writes/engine.js';
import {
  type ConnectedCompany,
  DEMO_COMPANIES,
  DEMO_ORGANISATION,
  type DemoCompany,
  isConnected,
} from './companies.js';
import { approveConsent } from './consent.js';
import { demoId } from './demo-id.js';
import { INTEGRATION, loadFieldMappings, loadManagement } from './management.js';
import { removeSome } from './remove-some.js';
import { writeSome } from './write-some.js';

/** Dependencies of loading the demo, which syncs and writes by itself, without job workers. */
export type DemoEngine = SyncEngine & WriteEngine;

type Owner = Pick<OwnerDatabase, 'pool' | 'prisma'>;

/** The demo's own worker, for work that it waits for. */
const WORKER = { workerId: 'demo', signal: new AbortController().signal };
/** Nothing listens there while the demo loads: the callback parameters are passed on directly. */
const REDIRECT_URI = `http://127.0.0.1${CALLBACK_PATH}`;

/**
 * Connects the demo companies to the sandbox platforms, as their users would, and syncs them; keeps existing data and
 * resumes an interrupted load. Returns the svc_id of the demo organisation.
 */
export async function loadDemo(
  engine: DemoEngine,
  owner: Owner,
  tell: (line: string) => void,
): Promise<number> {
  if (!(await isLoaded(owner))) {
    const { prisma } = owner;
    for (const company of DEMO_COMPANIES) {
      const known = await findOrganisation(prisma, company.organisation);
      const { svcId } = known ?? (await createOrganisation(prisma, company.organisation));
      await loadManagement(
        engine.database,
        engine.secrets,
        svcId,
        company.organisation === DEMO_ORGANISATION,
      );
      await loadCompany(engine, svcId, company, tell);
    }
    await loadFieldMappings(engine.database, await demoOrganisation(owner));
  }
  return demoOrganisation(owner);
}

async function demoOrganisation({ pool }: Owner): Promise<number> {
  const { rows } = await pool.query<{ svcId: string }>(
    'SELECT svc_id AS "svcId" FROM organisations WHERE name = $1',
    [DEMO_ORGANISATION],
  );
  if (!rows[0]) throw new Error('the demo organisation is gone');
  return Number(rows[0].svcId);
}

const CONNECTED = DEMO_COMPANIES.filter(isConnected);

/** Whether every demo connection was synced once. One SQL query, since every start runs it. */
async function isLoaded({ pool }: Owner): Promise<boolean> {
  const wanted = CONNECTED.flatMap(({ organisation, name, account, categories }) =>
    categories.map((category) => ({ organisation, name, account, category })),
  );
  const { rows } = await pool.query<{ complete: number }>(
    `SELECT count(*)::int AS complete FROM connections c
     JOIN companies m ON m.svc_id = c.svc_company_id
     JOIN organisations o ON o.svc_id = c.svc_organisation_id
     JOIN json_to_recordset($2) AS w (organisation text, name text, account text, category text)
       ON (w.organisation, w.name, w.account, w.category) = (o.name, m.name, c.external_account_id, c.category)
     WHERE c.integration_type = $1 AND c.last_synced_at IS NOT NULL`,
    [INTEGRATION, JSON.stringify(wanted)],
  );
  return (rows[0]?.complete ?? 0) >= wanted.length;
}

async function loadCompany(
  engine: DemoEngine,
  organisationId: number,
  company: DemoCompany,
  tell: (line: string) => void,
): Promise<void> {
  const link = await linkOf(engine, organisationId, company);
  if (!isConnected(company)) return;
  const client = engine.database.client(link.scope);
  const ids = `${company.account}/${await client.sync.count({ where: { svcCompanyId: BigInt(link.svcCompanyId) } })}`;
  await withSeededIds(ids, () => connectAll(engine, link, company, tell));
}

async function connectAll(
  engine: DemoEngine,
  link: OpenLink,
  company: ConnectedCompany,
  tell: (line: string) => void,
): Promise<void> {
  const { organisationId } = link.scope;
  const client = engine.database.client(link.scope);
  for (const category of company.categories) {
    const synced = await client.connection.findFirst({
      where: { svcCompanyId: BigInt(link.svcCompanyId), category, lastSyncedAt: { not: null } },
    });
    if (synced) continue;
    const { syncSvcId, connectionId, connector } = await connect(engine, link, company, category);
    const key = { svcCompanyId: link.svcCompanyId, syncSvcId };
    await runSync(engine, { organisationId, ...key }, WORKER);
    if (company === CONNECTED[0] && category === 'ACCOUNTING')
      await writeSome(engine, link, connectionId, WORKER);
    await removeSome(engine, link, { account: company.account, category, connectionId }, WORKER);
    tell(`Connected ${company.name} to ${connector.title}: ${await recordCount(engine, link, syncSvcId)}`);
  }
}

/** The company's invite link; creates the link and the company if missing. */
async function linkOf(engine: DemoEngine, organisationId: number, company: DemoCompany): Promise<OpenLink> {
  const scope = organisationScope(organisationId);
  const client = engine.database.client(scope);
  const { svcId } = await findOrCreateCompany(client, scope, { name: company.name });
  // An interrupted deletion has revoked the link but kept the company.
  const known = await client.inviteLink.findFirst({
    where: {
      svcCompanyId: BigInt(svcId),
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
  const choice = {
    integrations: [INTEGRATION],
    integrationCategories: company.categories,
    expiresAt: null,
    // Revoked links keep their ids.
    inviteLinkId: demoId(
      `${company.name}/${await client.inviteLink.count({ where: { svcCompanyId: BigInt(svcId) } })}`,
      32,
    ),
  };
  const { inviteLinkId } =
    known ??
    (await inTransaction(client, (transaction) =>
      insertInviteLink(transaction, { organisationId, companyId: svcId }, choice),
    ));
  const link = await findLink(engine.database.pool, inviteLinkId);
  if (!link) throw new Error('the link that was just made is gone');
  return link;
}

/** Through the platform's consent page, as the company's users would. */
async function connect(engine: DemoEngine, link: OpenLink, company: ConnectedCompany, category: Category) {
  const choice = { integrationType: INTEGRATION, category, redirectUri: REDIRECT_URI };
  const address = await beginAuthorization(engine, link, choice);
  const callback = await approveConsent(address, company.account);
  const made = await finishAuthorization(engine, link, callback);
  if ('accounts' in made) throw new Error('the sandbox gives one account for a code');
  return made;
}

async function recordCount(engine: DemoEngine, link: OpenLink, syncSvcId: number): Promise<string> {
  const jobs = await engine.database.client(link.scope).syncJob.findMany({
    where: { svcCompanyId: BigInt(link.svcCompanyId), syncSvcId: BigInt(syncSvcId) },
  });
  const failed = jobs.filter(({ state }) => state !== 'SUCCESS');
  if (failed.length > 0) {
    const reasons = failed.map(
      ({ dataModel, errorMessage }) => `${dataModel}: ${errorMessage ?? 'not ended'}`,
    );
    throw new Error(`the demo could not be synced: ${reasons.join('; ')}`);
  }
  return `${jobs.reduce((sum, { recordsRead }) => sum + recordsRead, 0)} records`;
}
