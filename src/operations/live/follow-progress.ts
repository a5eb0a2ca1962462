import type { Context } from '../../context.js';
import type { Followed } from '../../db/wakes.js';
import { AppError } from '../../errors.js';
import type { ConnectedPlatform } from '../../loaders/connections.js';
import { isOver } from '../../runs/states.js';
import { listSyncJobs } from '../syncs/sync-jobs.js';
import { getSync, type ListedSync } from '../syncs/syncs.js';
import { countItems, getUpload, type ListedUpload } from '../writes/uploads.js';
import { readPage } from './read-page.js';

/** One read of a followed object. */
interface Reading<Value> {
  /** The values to send. */
  readonly values: readonly Value[];
  /** Whether this is the last item. */
  readonly isOver: boolean;
}

/** Reads again at each notification, until the followed object or the context ends; waits out outages. */
async function* follow<Value>(
  context: Context,
  tables: readonly Followed[],
  read: (context: Context) => Promise<Reading<Value>>,
): AsyncGenerator<readonly Value[]> {
  const { wakes, sql, stopping } = context;
  const watch = wakes.watch(sql.scope.organisationId, tables);
  try {
    while (!stopping.aborted) {
      const reading = await readPage(context, read);
      if (!reading) return;
      const { values, isOver: isEnd } = reading.result;
      try {
        if (values.length > 0) yield values;
      } finally {
        reading.release();
      }
      if (isEnd) return;
      await watch.news(stopping);
    }
  } finally {
    watch.end();
  }
}

/** Filters values whose state has not changed. */
function onceEach<Value>(): (value: Value, state: unknown) => readonly Value[] {
  let last = '';
  return (value, state) => {
    const text = JSON.stringify(state);
    if (text === last) return [];
    last = text;
    return [value];
  };
}

/** A sync's current state, and each later one until its end. Throws `not-found`. */
export function followSync(context: Context, syncId: string): AsyncGenerator<readonly ListedSync[]> {
  const tell = onceEach<ListedSync>();
  return follow(context, ['syncs', 'sync_jobs'], async (own) => {
    const sync = await getSync(own, syncId);
    if (!sync) throw new AppError('not-found', 'there is no such sync', 'syncId');
    const jobs = await listSyncJobs(own.sql, [sync]);
    const steps = jobs.map(({ state, pages }) => [state, pages]);
    return { values: tell(sync, [sync.state, sync.resumeAt, steps]), isOver: isOver('sync', sync.state) };
  });
}

/** A write's current state, and each later one until its end. Throws `not-found`. */
export function followWrite(context: Context, writeId: string): AsyncGenerator<readonly ListedUpload[]> {
  const tell = onceEach<ListedUpload>();
  return follow(context, ['uploads', 'upload_items'], async (own) => {
    const upload = await getUpload(own.sql, writeId);
    if (!upload) throw new AppError('not-found', 'there is no such write', 'writeId');
    const counts = await countItems(own.sql, [upload]);
    return {
      values: tell(upload, [upload.state, upload.resumeAt, counts]),
      isOver: isOver('upload', upload.state),
    };
  });
}

/** The current connections of the scope or of some companies, and each one when its status changes. */
export function followConnections(
  context: Context,
  companyIds: readonly number[] | null,
): AsyncGenerator<readonly ConnectedPlatform[]> {
  const known = new Map<string, string>();
  const stateOf = ({ status, syncStatus }: { status: string; syncStatus: string }) =>
    `${status} ${syncStatus}`;
  return follow(context, ['connections'], async ({ client, loaders }) => {
    const rows = await client.connection.findMany({
      where: companyIds ? { svcCompanyId: { in: companyIds.map(BigInt) } } : {},
      select: { svcCompanyId: true, svcId: true, status: true, syncStatus: true },
      orderBy: { svcId: 'asc' },
    });
    const changed = rows.filter((row) => known.get(String(row.svcId)) !== stateOf(row));
    const values = await Promise.all(
      changed.map(async ({ svcCompanyId, svcId }) => {
        const connections = await loaders.connections().load(String(svcCompanyId));
        return connections.find((one) => one.svcId === Number(svcId));
      }),
    );
    // Only after all reads: a failed read is repeated, and must report the same changes again.
    for (const row of changed) known.set(String(row.svcId), stateOf(row));
    return { values: values.filter((one) => one !== undefined), isOver: false };
  });
}
