import type { Connector } from '../../connectors/connector.js';
import type { PlatformClient } from '../../connectors/platform.js';
import type { PullResource } from '../../connectors/pull.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { AppError } from '../../errors.js';
import { learnBaseCurrency } from './base-currency.js';
import type { CurrentReadLimits } from './current-limits.js';
import type { SyncSettings } from '../engine.js';
import type { IdleJobs } from '../state/idle-jobs.js';
import type { JobRow, SyncMark } from '../state/job-state.js';
import { createNamedReads } from './named-objects.js';
import { findTogether, pullTogether } from './pull-together.js';
import type { ClaimedRun } from '../state/run-state.js';
import type { RecordTypeSync, StartedJob } from './record-type-sync.js';
import { syncRecordType } from './sync-record-type.js';
import type { Traffic } from './traffic.js';

/** Context shared by all record types of a run. */
interface Reading {
  readonly sql: TenantSql;
  readonly run: ClaimedRun;
  readonly connector: Connector;
  readonly platform: PlatformClient;
  /** The account's base currency; null if it is to be asked for. */
  readonly baseCurrency: string | null;
  readonly idleJobs: IdleJobs;
  readonly traffic: Traffic;
  readonly limits: CurrentReadLimits;
  readonly marks: ReadonlyMap<string, SyncMark>;
  readonly settings: SyncSettings;
  /** Throws where the worker is to stop. */
  readonly checkIn: () => void;
}

/** Reads the record types of a run, one after the other, over its open connection. */
export class TypeReader {
  private readonly readNamed;
  /** Record types that were pulled along with another, by job. */
  private readonly pulled = new Map<number, StartedJob>();
  private baseCurrency: string | null;
  private isCurrencyAsked: boolean;

  constructor(private readonly reading: Reading) {
    this.readNamed = createNamedReads(reading.platform);
    this.baseCurrency = reading.baseCurrency;
    this.isCurrencyAsked = reading.baseCurrency !== null;
  }

  /** Syncs the record type of a job; those of later jobs may be pulled along with it. */
  async read(job: JobRow, later: readonly JobRow[]): Promise<void> {
    const { connector, limits } = this.reading;
    await this.learnBaseCurrency();
    const resource = this.resourceOf(job);
    if (!resource) throw new AppError('invalid-params', `${connector.title} no longer has ${job.dataModel}`);
    await limits.requireRead(job.dataModel);
    const work = this.workOf(job, resource);
    const together = findTogether(work, () => this.sharersOf(resource, later));
    if (together) for (const begun of await pullTogether(together)) this.pulled.set(begun.job.svcId, begun);
    await syncRecordType({ ...work, begun: this.pulled.get(job.svcId) ?? null });
  }

  private async learnBaseCurrency(): Promise<void> {
    const { sql, run, connector, platform } = this.reading;
    if (!this.isCurrencyAsked) this.baseCurrency = await learnBaseCurrency(sql, run, connector, platform);
    this.isCurrencyAsked = true;
  }

  private resourceOf({ dataModel }: JobRow): PullResource | undefined {
    return this.reading.connector.pulls.find(({ definition }) => definition.dataModel === dataModel);
  }

  /** Later record types of the same listing that may be read. */
  private sharersOf({ listing }: PullResource, later: readonly JobRow[]): RecordTypeSync[] {
    return later.flatMap((job) => {
      const resource = this.resourceOf(job);
      const isShared = resource?.listing === listing && this.reading.limits.mayRead(job.dataModel);
      return resource && isShared ? [this.workOf(job, resource)] : [];
    });
  }

  private workOf(job: JobRow, resource: PullResource): RecordTypeSync {
    const { sql, platform, run, idleJobs, settings, limits, marks, traffic, checkIn } = this.reading;
    return {
      sql,
      platform,
      run,
      job,
      idleJobs,
      begun: this.pulled.get(job.svcId) ?? null,
      resource,
      settings,
      baseCurrency: this.baseCurrency,
      oldest: limits.oldestOf(job.dataModel),
      mark: marks.get(job.dataModel) ?? null,
      takeBytes: traffic.takeBytes,
      behindMs: () => traffic.behindMs,
      readNamed: this.readNamed,
      checkIn: async () => {
        checkIn();
        await limits.requireRead(job.dataModel);
      },
    };
  }
}
