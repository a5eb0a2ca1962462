import { beginAuthorization, CALLBACK_PATH, finishAuthorization } from '../connect/authorization.js';
import { findLink, type OpenLink } from '../connect/find-link.js';
import type { OwnerDatabase } from '../db/database.js';
import { findOrCreateCompany } from '../operations/companies/companies.js';
import { insertInviteLink } from '../operations/links/write-invite-links.js';
import { createOrganisation, findOrganisation } from '../operations/organisations/organisations.js';
import { inTransaction } from '../db/in-transaction.js';
import { organisationScope, type Scope } from '../db/scope.js';
import type { TenantClient } from '../db/tenant-client.js';
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
 * resumes an interrupted load. Does nothing once a load was completed: from then on the companies are the user's, to
 * rename and delete. Returns the svc_id of the demo organisation.
 */
export async function loadDemo(
  engine: DemoEngine,
  owner: Owner,
  tell: (line: string) => void,
): Promise<number> {
  const loaded = await findLoaded(owner);
  if (loaded !== null) return loaded;
  for (const company of DEMO_COMPANIES) {
    const svcId = await organisationOf(owner, company.organisation);
    await loadManagement(engine.database, engine.secrets, svcId, company.organisation === DEMO_ORGANISATION);
    await loadCompany(engine, svcId, company, tell);
  }
  const svcId = await organisationOf(owner, DEMO_ORGANISATION);
  await loadFieldMappings(engine.database, svcId);
  await noteLoaded(owner, svcId);
  return svcId;
}

async function organisationOf({ prisma }: Owner, name: string): Promise<number> {
  const { svcId } = (await findOrganisation(prisma, name)) ?? (await createOrganisation(prisma, name));
  return svcId;
}

/** The svc_id of the demo organisation if a load was completed. One SQL query, since every start runs it. */
async function findLoaded({ pool }: Owner): Promise<number | null> {
  const { rows } = await pool.query<{ svcId: string }>(
    'SELECT svc_id AS "svcId" FROM organisations WHERE name = $1 AND demo_loaded_at IS NOT NULL',
    [DEMO_ORGANISATION],
  );
  return rows[0] ? Number(rows[0].svcId) : null;
}

async function noteLoaded({ pool }: Owner, svcId: number): Promise<void> {
  await pool.query('UPDATE organisations SET demo_loaded_at = now() WHERE svc_id = $1', [svcId]);
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
  for (const category of company.categories) {
    const choice = { company, category };
    const connectionId =
      (await findSynced(engine, link, category)) ?? (await connectAndSync(engine, link, choice, tell));
    // Also of what was synced already: the load may have been interrupted before these.
    if (company === DEMO_COMPANIES[0] && category === 'ACCOUNTING')
      await writeSome(engine, link, connectionId, WORKER);
    await removeSome(engine, link, { account: company.account, category, connectionId }, WORKER);
  }
}

/** The company's connection of a category, if it was synced. */
async function findSynced(engine: DemoEngine, link: OpenLink, category: Category): Promise<number | null> {
  const synced = await engine.database.client(link.scope).connection.findFirst({
    where: { svcCompanyId: BigInt(link.svcCompanyId), category, lastSyncedAt: { not: null } },
  });
  return synced && Number(synced.svcId);
}

async function connectAndSync(
  engine: DemoEngine,
  link: OpenLink,
  { company, category }: { readonly company: ConnectedCompany; readonly category: Category },
  tell: (line: string) => void,
): Promise<number> {
  const { syncSvcId, connectionId, connector } = await connect(engine, link, company, category);
  const { svcCompanyId, scope } = link;
  await runSync(engine, { organisationId: scope.organisationId, svcCompanyId, syncSvcId }, WORKER);
  tell(`Connected ${company.name} to ${connector.title}: ${await recordCount(engine, link, syncSvcId)}`);
  return connectionId;
}

/** The company's invite link; creates the link and the company if missing. */
async function linkOf(engine: DemoEngine, organisationId: number, company: DemoCompany): Promise<OpenLink> {
  const scope = organisationScope(organisationId);
  const client = engine.database.client(scope);
  const svcId = await companyOf(client, scope, company);
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
    inviteLinkId: linkId(company, await client.inviteLink.count({ where: { svcCompanyId: BigInt(svcId) } })),
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

const linkId = ({ name }: DemoCompany, position: number): string => demoId(`${name}/${position}`, 32);

/** The company of the demo's first link to it, which may have been renamed since; else that of its name. */
async function companyOf(client: TenantClient, scope: Scope, company: DemoCompany): Promise<number> {
  const first = await client.inviteLink.findFirst({ where: { inviteLinkId: linkId(company, 0) } });
  if (first) return Number(first.svcCompanyId);
  return (await findOrCreateCompany(client, scope, { name: company.name })).svcId;
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
