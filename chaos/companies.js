import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../dist/config/config.js';
import { integrationTypes } from '../dist/connectors/index.js';
import { beginAuthorization, finishAuthorization } from '../dist/connect/authorization.js';
import { findLink } from '../dist/connect/find-link.js';
import { connectDatabase, connectOwner } from '../dist/db/database.js';
import { Login } from '../dist/db/pool/login.js';
import { approveConsent } from '../dist/demo/consent.js';
import { createApiKey } from '../dist/operations/keys/api-keys.js';
import { createOrganisation } from '../dist/operations/organisations/organisations.js';
import { findOrCreateCompany } from '../dist/operations/companies/companies.js';
import { createOutboundCaller } from '../dist/outbound/caller.js';
import { organisationScope } from '../dist/db/scope.js';
import { clientSecretPlace } from '../dist/platforms/client-credentials.js';
import { createSecretBox } from '../dist/secrets/secret-box.js';
import { control, SECRET_KEY } from './rig.js';

const RECORDS = 60;
const SYNC_PATIENCE_MS = 60_000;
let made = 0;

/**
 * An organisation with a key, and companies with books in the sandbox, synced once so that their accounts are known.
 * `honours` says for each whether its platform honours idempotency keys. The workers must be running.
 */
export async function makeCompanies(rig, honours) {
  const secrets = createSecretBox([Buffer.from(SECRET_KEY, 'base64')]);
  const config = readConfig({ DATABASE_URL: rig.databaseUrl, SECRET_KEYS: SECRET_KEY }, integrationTypes);
  const login = new Login([rig.databaseUrl]);
  const database = await connectDatabase(login, { ...config, poolSize: 2 }, { onError: () => undefined });
  const operator = connectOwner(login);
  try {
    made += 1;
    const { svcId: organisationId } = await createOrganisation(operator.prisma, `Chaos ${made}`);
    const scope = organisationScope(organisationId);
    const client = database.client(scope);
    const owner = { svcOrganisationId: BigInt(organisationId) };
    const clientSecret = secrets.seal(
      'sandbox-books-secret',
      clientSecretPlace('SVC_SANDBOX', organisationId),
    );
    await client.integration.create({
      data: { ...owner, integrationType: 'SVC_SANDBOX', clientId: 'sandbox-books', clientSecret },
    });
    const { key } = await createApiKey(operator.prisma, {
      organisationId,
      name: 'chaos',
      scopes: ['read', 'write', 'webhooks:manage'],
    });
    const outbound = createOutboundCaller({ allowPrivate: false, timeoutMs: 5000 });
    const services = { database, secrets, urls: { SVC_SANDBOX: rig.sandboxUrl }, outbound };
    const companies = [];
    for (const [index, honoursKeys] of honours.entries()) {
      const account = `chaos-${made}-${index}`;
      const connected = await connectCompany(rig, { account, services, client, scope, owner });
      await control(rig, 'POST', `/accounts/${account}/idempotency`, { enabled: honoursKeys });
      companies.push({ account, key, honoursKeys, ...connected });
    }
    for (const company of companies) company.accounts = await syncedAccounts(rig, company);
    return companies;
  } finally {
    await operator.close();
    await database.close();
  }
}

async function connectCompany(rig, { account, services, client, scope, owner }) {
  const name = `Company ${account}`;
  await control(rig, 'POST', '/accounts', { id: account, name, platforms: ['accounting'], records: RECORDS });
  const { svcId: companyId } = await findOrCreateCompany(client, scope, { name });
  const inviteLinkId = randomBytes(16).toString('hex');
  await client.inviteLink.create({ data: { ...owner, svcCompanyId: BigInt(companyId), inviteLinkId } });
  const link = await findLink(services.database.pool, inviteLinkId);
  const redirectUri = 'http://127.0.0.1/oauth/callback';
  const choice = { integrationType: 'SVC_SANDBOX', category: 'ACCOUNTING', redirectUri };
  const address = await beginAuthorization(services, link, choice);
  const { connectionId, syncSvcId } = await finishAuthorization(
    services,
    link,
    await approveConsent(address, account),
  );
  // A killed process keeps its slot among the concurrent calls for two minutes; real deployments see fewer kills.
  await rig.sql.query(
    'UPDATE connections SET max_per_minute = 1000000, max_concurrent = 10000 WHERE svc_id = $1',
    [connectionId],
  );
  return { companyId, connectionId, syncSvcId };
}

/** Platform ids of accounts that entries can be posted to. */
async function syncedAccounts({ sql }, { companyId, syncSvcId }) {
  for (const patience = Date.now() + SYNC_PATIENCE_MS; ; await sleep(100)) {
    const { rows } = await sql.query('SELECT state, ended_at FROM syncs WHERE svc_id = $1', [syncSvcId]);
    if (rows[0]?.ended_at) break;
    if (Date.now() > patience) throw new Error(`the first sync of company ${companyId} does not end`);
  }
  const { rows } = await sql.query(
    `SELECT platform_id FROM accounts WHERE svc_company_id = $1 AND nominal_code IS NOT NULL AND status = 'ACTIVE'
     ORDER BY nominal_code`,
    [companyId],
  );
  if (rows.length < 2) throw new Error(`company ${companyId} has ${rows.length} accounts`);
  return rows.map((row) => row.platform_id);
}
