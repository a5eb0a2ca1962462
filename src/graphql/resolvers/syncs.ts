import type { Context } from '../../context.js';
import { afterStoring } from '../../db/database-error.js';
import { requireScope } from '../../operations/keys/require-scope.js';
import { requestSync } from '../../operations/syncs/request-sync.js';
import { getSyncJob, type ListedSyncJob, listSyncJobs } from '../../operations/syncs/sync-jobs.js';
import { listSyncSettings } from '../../operations/syncs/sync-settings.js';
import { getSync, type ListedSync, listSyncs } from '../../operations/syncs/syncs.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import { ownedIdOf, ownedKey } from '../../query/owned-ids.js';
import type { JobState } from '../../runs/states.js';
import { listUnmapped } from '../../operations/syncs/unmapped-records.js';
import { retrySync } from '../../sync/retry-sync.js';
import { parseText } from '../../base/values.js';
import type {
  SchemaDataModel,
  SchemaMutationResolvers,
  SchemaQueryResolvers,
  SchemaSyncErrorResolvers,
  SchemaSyncResolvers,
} from '../__generated__/resolvers.js';
import type { ErrorCode } from '../../errors.js';
import { toErrorCodeName } from '../error-codes.js';
import { connectionOf } from './connections.js';
import { carryOut } from './mutation.js';

export const syncQueries: Pick<SchemaQueryResolvers, 'syncs' | 'sync' | 'syncJob' | 'syncSettings'> = {
  syncs: (_source, args, context) => listSyncs(context, args),
  sync: (_source, { syncId }, context) => getSync(context, syncId),
  syncJob: (_source, { jobId }, context) => getSyncJob(context, jobId),
  syncSettings: (_source, args, context) => listSyncSettings(context, args),
};

export const syncMutations: Pick<SchemaMutationResolvers, 'startSync' | 'retrySync'> = {
  startSync: (_source, { input }, context) =>
    carryOut(input, { sync: null }, async () => ({ sync: await requestSync(context, input) })),
  retrySync: (_source, { input }, context) =>
    carryOut(input, { sync: null }, async () => {
      requireScope(context, 'write', 'retry syncs');
      await retrySync(context.sql, parseText(input.syncId, 'syncId'));
      return { sync: await afterStoring(getSync(context, input.syncId)) };
    }),
};

/** The jobs of a run, in their order. */
const jobsOf = (sync: ListedSync, context: Context): Promise<ListedSyncJob[]> =>
  context.loaders
    .of<ListedSyncJob[]>('sync jobs', async (keys) => {
      const syncs = keys.map(ownedIdOf);
      const jobs = await listSyncJobs(context.sql, syncs);
      const bySync = new Map<number, ListedSyncJob[]>(syncs.map((sync) => [sync.svcId, []]));
      for (const job of jobs) bySync.get(job.syncSvcId)?.push(job);
      return syncs.map((sync) => bySync.get(sync.svcId) ?? []);
    })
    .load(ownedKey(sync));

type Counted = 'recordsRead' | 'created' | 'updated' | 'deleted' | 'unchanged' | 'failed' | 'sleptMs';

const sum = (jobs: readonly ListedSyncJob[], name: Counted): number =>
  jobs.reduce((total, job) => total + job[name], 0);
const inState = (jobs: readonly ListedSyncJob[], ...states: JobState[]): number =>
  jobs.filter(({ state }) => states.includes(state)).length;

export const syncErrorFields: Pick<SchemaSyncErrorResolvers, 'code'> = {
  code: ({ code }) => toErrorCodeName(code as ErrorCode),
};

/** Fields of a run that aggregate its jobs. */
export const syncFields: Pick<
  SchemaSyncResolvers,
  'connection' | 'dataModels' | 'progress' | 'counts' | 'records' | 'sleptMs' | 'jobs' | 'unmapped'
> = {
  connection: (run, _args, context) => connectionOf(run, context),
  dataModels: async (sync, _args, context) =>
    // Runs only have existing record types.
    (await jobsOf(sync, context)).map(({ dataModel }) => dataModel as SchemaDataModel),
  progress: async (sync, _args, context) => {
    const jobs = await jobsOf(sync, context);
    return jobs.length === 0 ? 1 : inState(jobs, 'SUCCESS', 'FAILED') / jobs.length;
  },
  counts: async (sync, _args, context) => {
    const jobs = await jobsOf(sync, context);
    return {
      total: jobs.length,
      pending: inState(jobs, 'CREATED'),
      running: inState(jobs, 'RUNNING'),
      success: inState(jobs, 'SUCCESS'),
      failed: inState(jobs, 'FAILED'),
    };
  },
  records: async (sync, _args, context) => {
    const jobs = await jobsOf(sync, context);
    return {
      read: sum(jobs, 'recordsRead'),
      created: sum(jobs, 'created'),
      updated: sum(jobs, 'updated'),
      deleted: sum(jobs, 'deleted'),
      unchanged: sum(jobs, 'unchanged'),
      failed: sum(jobs, 'failed'),
    };
  },
  sleptMs: async (sync, _args, context) => sum(await jobsOf(sync, context), 'sleptMs'),
  jobs: async (sync, args, context) => {
    const jobs = (await jobsOf(sync, context)).map((node) => ({ id: node.jobId, node }));
    return pageOfAll('Sync.jobs', jobs, args, { limits: context.limits, nested: true });
  },
  unmapped: (sync, args, context) => listUnmapped(context, sync, args),
};
