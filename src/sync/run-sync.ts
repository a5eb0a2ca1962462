import type { Connector } from '../connectors/connector.js';
import { isAway, PlatformPause } from '../connectors/client/platform-errors.js';
import { databaseTime } from '../db/clock.js';
import { isOutage } from '../db/database-error.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError, ERROR_TABLE, toAppError } from '../errors.js';
import type { SyncJobPayload } from '../jobs/add-job.js';
import type { TaskContext } from '../jobs/tasks.js';
import { organisationScope } from '../db/scope.js';
import { remapUnresolved } from '../store/remap-records.js';
import { meters } from '../telemetry/meters.js';
import { pauseConnection } from '../platforms/budget.js';
import { WithheldAccess } from '../platforms/scope-access.js';
import { type OpenConnection, openConnection } from '../platforms/open-connection.js';
import { assertHeld, LeaseLost, type RunProblem } from '../runs/lease.js';
import { isOver } from '../runs/states.js';
import type { SyncEngine } from './engine.js';
import { endJob, type JobRow, listJobs, noteRetry, readMarks } from './state/job-state.js';
import { type ClaimedRun, claimRun, endRun, type Outcome, putOffRun } from './state/run-state.js';
import { endOpenJobs, forgetSeen } from './state/end-syncs.js';
import { IdleJobs } from './state/idle-jobs.js';
import { isHeldBack } from './start-sync.js';
import { CurrentReadLimits } from './reading/current-limits.js';
import { Traffic } from './reading/traffic.js';
import { TypeReader } from './reading/type-reader.js';
import { targetOf } from './storing/store-page.js';

/** The worker is stopping: another one continues the run. */
class Handover extends Error {
  override readonly name = 'Handover';
}

/** Seconds before each retry of an unreachable platform; if it fails after the last one, too, so has the record type. */
const RETRY_SECONDS = [30, 120, 600];
/** A pause this short is waited for by the worker; a longer one lets the run sleep. */
const PATIENCE_MS = 5000;

/**
 * Runs a sync to its end, or as far as possible now: the job of task `sync`. Failures are stored in the run; only loss
 * of the database is thrown, so that the job runs again.
 */
export async function runSync(
  engine: SyncEngine,
  payload: SyncJobPayload,
  { workerId, signal }: TaskContext,
): Promise<void> {
  const scope = organisationScope(payload.organisationId);
  const sql = engine.database.sql(scope);
  if (await isHeldBack(sql, { svcCompanyId: payload.svcCompanyId, svcId: payload.syncSvcId })) return;
  const run = await claimRun(sql, payload, workerId);
  if (!run) return;
  try {
    await new SyncRun(engine, sql, run, signal).execute();
  } catch (error) {
    await giveUp(engine, sql, run, error);
  }
}

async function giveUp(engine: SyncEngine, sql: TenantSql, run: ClaimedRun, error: unknown): Promise<void> {
  // The job is another worker's too: ending well here would end it there.
  if (error instanceof LeaseLost) throw error;
  if (error instanceof Handover) return putOffRun(sql, run, null, null);
  if (isOutage(error)) throw error;
  const problem = problemOf(engine, run, error);
  await finish(engine, sql, run, async (transaction) => {
    await endOpenJobs(transaction, run.svcCompanyId, [run.svcId], problem);
    return { state: 'FAILED', problem };
  });
  await forgetSeen(sql, run.svcCompanyId, [run.svcId]);
}

/** Ends the run, and tells the log. */
async function finish(
  engine: SyncEngine,
  sql: TenantSql,
  run: ClaimedRun,
  outcomeOf: (transaction: TenantSql) => Promise<Outcome>,
): Promise<void> {
  const { state, problem } = await endRun(sql, run, outcomeOf);
  const { svcCompanyId: companyId, connectionId, integrationType, syncId } = run;
  const { organisationId } = sql.scope;
  const ms = databaseTime().getTime() - Date.parse(run.startedAt);
  const code = problem?.code ?? null;
  meters.syncs.inc({ platform: integrationType, state });
  meters.syncSeconds.observe({ platform: integrationType }, ms / 1000);
  engine.log.info(
    { organisationId, companyId, connectionId, integrationType, syncId, state, code, ms },
    'a sync ended',
  );
}

/** One run, held by one worker. */
class SyncRun {
  private readonly idleJobs: IdleJobs;
  private readonly traffic = new Traffic();

  constructor(
    private readonly engine: SyncEngine,
    private readonly sql: TenantSql,
    private readonly run: ClaimedRun,
    private readonly signal: AbortSignal,
  ) {
    this.idleJobs = new IdleJobs(sql, run);
  }

  private readonly checkIn = (): void => {
    if (this.signal.aborted) throw new Handover();
  };

  async execute(): Promise<void> {
    const { engine, sql, run } = this;
    const opened = await openConnection(engine, sql, run, {
      use: run.toldByPlatform ? 'event' : 'sync',
      patienceMs: PATIENCE_MS,
      workerId: run.workerId,
      onAnswer: this.traffic.note,
    });
    try {
      if (!(await this.readAll(opened))) return;
      await this.remap(opened.connector);
      await finish(engine, sql, run, (transaction) => this.endJobs(transaction));
    } finally {
      await opened.release();
    }
  }

  /** Reads all record types; false if the run waits. */
  private async readAll({ connector, platform, baseCurrency }: OpenConnection): Promise<boolean> {
    const { engine, sql, run, idleJobs, traffic, checkIn } = this;
    const [limits, marks, allJobs] = await Promise.all([
      CurrentReadLimits.read(engine.database.client(sql.scope), run),
      readMarks(sql, run),
      listJobs(sql, run),
    ]);
    const { settings } = engine;
    const shared = { sql, run, connector, platform, baseCurrency, idleJobs, traffic, limits, marks };
    const reader = new TypeReader({ ...shared, settings, checkIn });
    let jobs = allJobs;
    const turns = jobs.map((job) => job.svcId);
    for (let svcId; (svcId = turns.shift()) !== undefined;) {
      const open = jobs.filter(({ state }) => !isOver('job', state));
      const place = open.findIndex((job) => job.svcId === svcId);
      const job = open[place];
      if (!job) continue;
      try {
        checkIn();
        await reader.read(job, open.slice(place + 1));
      } catch (error) {
        const withheld =
          error instanceof WithheldAccess
            ? open.find(({ dataModel }) => dataModel === error.dataModel)
            : undefined;
        if (await this.isPutOff(withheld ?? job, error)) return false;
        jobs = await listJobs(sql, run);
        // The withheld type was read together with this job, which continues.
        if (withheld && withheld !== job) turns.unshift(svcId);
      }
    }
    return true;
  }

  private async remap(connector: Connector): Promise<void> {
    const { sql, run } = this;
    const remap = { sql, connector, target: targetOf(run), syncId: run.syncId };
    try {
      await remapUnresolved(
        { ...remap, hold: (transaction) => assertHeld(transaction, run) },
        run.lastStartedAt,
      );
    } catch (error) {
      await this.idleJobs.flush();
      throw error;
    }
  }

  /** Handles the failure of a record type; true when the whole run waits. */
  private async isPutOff(job: JobRow, error: unknown): Promise<boolean> {
    const { sql, run } = this;
    if (error instanceof LeaseLost || isOutage(error)) throw error;
    await this.idleJobs.flush();
    if (error instanceof Handover) throw error;
    if (this.engine.access) {
      // Only this process has the token: the run cannot continue elsewhere or later.
      await this.fail(job, problemOf(this.engine, run, error));
      throw error;
    }
    if (error instanceof PlatformPause) {
      await noteRetry(sql, run, job.svcId, {
        sleptMs: error.resumeAt.getTime() - Date.now(),
        isFault: false,
      });
      await putOffRun(sql, run, error.resumeAt, { code: error.code, message: error.message });
      return true;
    }
    const problem = problemOf(this.engine, run, error);
    // Fewer than when it was read, if a page was stored since.
    const known = (await listJobs(sql, run)).find(({ svcId }) => svcId === job.svcId) ?? job;
    const seconds = RETRY_SECONDS[known.faults];
    if (isPassing(error) && seconds !== undefined) {
      await noteRetry(sql, run, job.svcId, { sleptMs: seconds * 1000, isFault: true });
      // A platform that fails only for this list is still available for writes and other requests.
      if (isAway(error)) await pauseConnection(sql, run, seconds);
      if (known.faults === 0) this.tellFault(job, problem);
      await putOffRun(sql, run, new Date(Date.now() + seconds * 1000), problem);
      return true;
    }
    await this.fail(job, problem);
    // No other record type of this connection can be read either.
    if (problem.code === 'connection-expired') throw error;
    return false;
  }

  /** Logs no words: a platform's message may contain its customer's data. The sync itself shows it. */
  private tellFault({ dataModel }: JobRow, { code }: RunProblem): void {
    const { svcCompanyId: companyId, connectionId, integrationType, syncId } = this.run;
    const { organisationId } = this.sql.scope;
    this.engine.log.warn(
      { organisationId, companyId, connectionId, integrationType, syncId, dataModel, code },
      'a platform could not be read: it is tried again',
    );
  }

  private async fail(job: JobRow, problem: RunProblem): Promise<void> {
    await this.sql.transaction(async (transaction) => {
      await assertHeld(transaction, this.run);
      await endJob(transaction, this.run, job.svcId, { problem });
    });
  }

  /** Ends the jobs that have found nothing; returns how the run ends. */
  private async endJobs(transaction: TenantSql): Promise<Outcome> {
    await this.idleJobs.endIn(transaction);
    const jobs = await listJobs(transaction, this.run);
    const failed = jobs.filter(({ state }) => state === 'FAILED').length;
    const isPartial = failed > 0 || jobs.some((job) => job.failed > 0);
    const isFailed = failed > 0 && failed === jobs.length;
    return { state: isFailed ? 'FAILED' : isPartial ? 'PARTIAL_SUCCESS' : 'SUCCESS', problem: null };
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof AppError && error.code.startsWith('platform-') && ERROR_TABLE[error.code].retry === true
  );
}

/** The error that the run shows; unexpected ones are masked there and logged. */
function problemOf(engine: SyncEngine, run: ClaimedRun, error: unknown): RunProblem {
  const shown = toAppError(error);
  if (shown.code === 'internal-error') engine.log.error({ err: error, syncId: run.syncId }, 'a sync failed');
  return { code: shown.code, message: shown.message };
}
