import type { Config } from '../config/config.js';
import { insertConnection } from '../connect/insert-connection.js';
import { type Connector } from '../connectors/connector.js';
import { plainAccess } from '../connectors/platform-access.js';
import { connectorFor } from '../connectors/index.js';
import type { Database } from '../db/database.js';
import { organisationScope, type Scope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { migrateJobs } from '../jobs/migrate-jobs.js';
import { createLog } from '../telemetry/log.js';
import { findOrCreateCompany } from '../operations/companies/companies.js';
import { getOrganisation } from '../operations/organisations/organisations.js';
import { type ListedSyncJob, listSyncJobs } from '../operations/syncs/sync-jobs.js';
import { createOutboundCaller } from '../outbound/caller.js';
import type { Category } from '../records/define.js';
import { queueRun, type QueuedRun } from '../runs/lease.js';
import { loadSecretBox } from '../secrets/keys.js';
import { forgetSeen } from '../sync/state/end-syncs.js';
import { runSync } from '../sync/run-sync.js';
import { startSync } from '../sync/start-sync.js';
import { loadReadLimits } from '../sync/sync-config.js';
import { withDatabase } from './database.js';

/** Arguments of the command: the records to read, their source and the company that gets them. */
export interface PullCommand {
  readonly integration: string;
  readonly category?: Category;
  readonly company: string;
  readonly organisation: string;
  readonly baseUrl?: string;
  readonly accessToken: string;
  readonly account: string;
  readonly baseCurrency?: string;
}

/** A pull that has been silent this long has died: a worker takes over its sync and ends it. */
const SILENCE_MS = 30_000;
/** Only connections to an address that was typed in use it: here, none. */
const CONNECT_MS = 5000;

/** Runs a full sync of a company, created if missing, and prints the result to stdout. */
export async function pull(command: PullCommand): Promise<void> {
  const connector = connectorFor(command.integration, command.category ?? null);
  await withDatabase(async (database, config) => {
    // The sync needs the job tables, and no service may have run here yet.
    await migrateJobs(database.url);
    const organisation = await getOrganisation(database.prisma, command.organisation);
    const scope = organisationScope(organisation.svcId);
    const client = database.client(scope);
    const company = await findOrCreateCompany(client, scope, { name: command.company });
    const { jobs, madeConnectionId } = await syncCompany({
      database,
      config,
      scope,
      companyId: company.svcId,
      connector,
      command,
    });
    for (const job of jobs) {
      process.stdout.write(lineOf(job));
      if (job.error) process.stderr.write(`    ${job.error.message}\n`);
    }
    if (jobs.some(({ failed, state }) => failed > 0 || state !== 'SUCCESS')) process.exitCode = 1;
    if (jobs.every(isEmpty)) {
      if (madeConnectionId !== null) {
        const made = { svcCompanyId: company.svcId, connectionId: madeConnectionId };
        await removeTraces(database.sql(scope), made, jobs);
      }
      if (company.created) await client.company.delete({ where: { svcId: BigInt(company.svcId) } });
      else if (madeConnectionId !== null)
        await client.connection.deleteMany({ where: { svcId: BigInt(madeConnectionId) } });
      const unmade = company.created ? 'no company was made' : 'the company is as it was';
      process.stdout.write(`Nothing could be read: ${unmade}.\n`);
      return;
    }
    const made = company.created ? 'Made the company' : 'Company';
    process.stdout.write(`${made} ${command.company} (svc_company_id ${company.svcId})\n${summaryOf(jobs)}`);
  });
}

interface CompanyPull {
  readonly database: Database;
  readonly config: Config;
  readonly scope: Scope;
  readonly companyId: number;
  readonly connector: Connector;
  readonly command: PullCommand;
}

/** Sync results by record type, and the connection that the sync created. */
interface PullResult {
  readonly jobs: ListedSyncJob[];
  readonly madeConnectionId: number | null;
}

/** Runs a full sync in this process with the given token. */
async function syncCompany({
  database,
  config,
  scope,
  companyId,
  connector,
  command,
}: CompanyPull): Promise<PullResult> {
  const { account: externalAccountId, baseUrl, accessToken } = command;
  const sql = database.sql(scope);
  const { category, pulls } = connector;
  const wanted = await loadReadLimits(database.client(scope), { svcCompanyId: companyId, category });
  const dataModels = pulls
    .map(({ definition: { dataModel } }) => dataModel)
    .filter((dataModel) => wanted.get(dataModel)?.mayRead !== false);
  const run = await sql.transaction(async (transaction) => {
    const account = { externalAccountId, name: null, baseCurrency: command.baseCurrency ?? null };
    const place = { address: null, settings: {} };
    const { connectionId, before } = await insertConnection(transaction, companyId, {
      connector,
      account,
      place,
    });
    const request = { syncType: 'MANUAL', fullSync: true, syncFrom: null, dataModels } as const;
    const key = { svcCompanyId: companyId, connectionId };
    const { syncSvcId: svcId } = await startSync(transaction, { ...key, ...request }, SILENCE_MS);
    return { ...key, svcId, isConnectionNew: before === null };
  });
  const outbound = createOutboundCaller({ allowPrivate: false, timeoutMs: CONNECT_MS });
  const engine = {
    database,
    secrets: loadSecretBox(config),
    urls: {},
    outbound,
    access: plainAccess({ baseUrl, accessToken, externalAccountId }),
    log: createLog(config.logLevel),
    settings: { maxDeletedShare: config.maxDeletedShare, sweepHours: config.sweepHours },
  };
  const payload = { organisationId: scope.organisationId, svcCompanyId: companyId, syncSvcId: run.svcId };
  const stillHere = setInterval(() => void sayStillHere(sql, run), SILENCE_MS / 3);
  await runSync(engine, payload, { workerId: 'pull', signal: new AbortController().signal }).finally(() => {
    clearInterval(stillHere);
  });
  await outbound.close();
  const jobs = await listSyncJobs(sql, [run]);
  return { jobs, madeConnectionId: run.isConnectionNew ? run.connectionId : null };
}

/** Removes what a sync stored for the connection besides records: on a cluster it goes with no foreign key. */
async function removeTraces(
  sql: TenantSql,
  { svcCompanyId, connectionId }: Pick<QueuedRun, 'svcCompanyId' | 'connectionId'>,
  jobs: readonly ListedSyncJob[],
): Promise<void> {
  const syncs = [...new Set(jobs.map(({ syncSvcId }) => syncSvcId))];
  await forgetSeen(sql, svcCompanyId, syncs);
  const query = sql.query();
  await sql.rows(
    query,
    `DELETE FROM unmapped_records t WHERE ${query.rowsOf(svcCompanyId, 'connection_id', connectionId)}`,
  );
}

/** Extends the lease, so that no worker takes over the sync. The sync itself reports an unavailable database. */
async function sayStillHere(sql: TenantSql, run: QueuedRun): Promise<void> {
  await sql
    .transaction((transaction) => queueRun(transaction, 'sync', run, SILENCE_MS))
    .catch(() => undefined);
}

function changesOf({ created, updated, deleted }: ListedSyncJob): number {
  return created + updated + deleted;
}

function isEmpty(job: ListedSyncJob): boolean {
  return job.state !== 'SUCCESS' && changesOf(job) === 0;
}

function lineOf(job: ListedSyncJob): string {
  const { dataModel, recordsRead, created, updated, deleted, unchanged, failed, problems } = job;
  const counts = `${recordsRead} read: ${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  const lost = failed > 0 ? `, ${failed} failed` : '';
  const reasons = problems.map((reason) => `    ${reason}\n`);
  return `  ${dataModel.padEnd(22)} ${counts}${lost}\n${reasons.join('')}`;
}

function summaryOf(jobs: readonly ListedSyncJob[]): string {
  const sum = (count: (job: ListedSyncJob) => number) => jobs.reduce((total, job) => total + count(job), 0);
  const read = sum((job) => job.recordsRead);
  const changed = sum(changesOf);
  const failed = sum((job) => job.failed);
  const lost = failed > 0 ? ` ${failed} objects could not be read, see above.` : '';
  return changed === 0
    ? `Nothing changed: all ${read} records were here already.${lost}\n`
    : `${read} records read, ${changed} of them stored as new or changed.${lost}\n`;
}
