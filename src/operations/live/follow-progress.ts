import type { Context } from '../../context.js';
import type { Followed } from '../../db/wakes.js';
import { AppError } from '../../errors.js';
import type { ConnectedPlatform } from '../../loaders/connections.js';
import { isOver } from '../../runs/states.js';
import { listSyncJobs } from '../syncs/sync-jobs.js';
import { getSync, type ListedSync } from '../syncs/syncs.js';
import { countItems, getUpload, type ListedUpload } from '../writes/uploads.js';
import { readPage } from './read-page.js';

/** What was read of something that is followed. */
interface Reading<Told> {
  /** By what it is told. */
  readonly told: readonly Told[];
  /** Nothing comes after it. */
  readonly isOver: boolean;
}

/** Reads again at each news, until the end of what is followed or of the context; an outage is waited for. */
async function* follow<Told>(
  context: Context,
  tables: readonly Followed[],
  read: (context: Context) => Promise<Reading<Told>>,
): AsyncGenerator<readonly Told[]> {
  const { wakes, sql, stopping } = context;
  const watch = wakes.watch(sql.scope.organisationId, tables);
  try {
    while (!stopping.aborted) {
      const reading = await readPage(context, read);
      if (!reading) return;
      const { told, isOver: isEnd } = reading.result;
      try {
        if (told.length > 0) yield told;
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

/** A value that is new only when its state is. */
function onceEach<Told>(): (told: Told, state: unknown) => readonly Told[] {
  let last = '';
  return (told, state) => {
    const text = JSON.stringify(state);
    if (text === last) return [];
    last = text;
    return [told];
  };
}

/** A sync as it is now, and at every step up to its end. Throws `not-found`. */
export function followSync(context: Context, syncId: string): AsyncGenerator<readonly ListedSync[]> {
  const tell = onceEach<ListedSync>();
  return follow(context, ['syncs', 'sync_jobs'], async (own) => {
    const sync = await getSync(own, syncId);
    if (!sync) throw new AppError('not-found', 'there is no such sync', 'syncId');
    const jobs = await listSyncJobs(own.sql, [sync]);
    const steps = jobs.map(({ state, pages }) => [state, pages]);
    return { told: tell(sync, [sync.state, sync.resumeAt, steps]), isOver: isOver('sync', sync.state) };
  });
}

/** A write as it is now, and at every step up to its end. Throws `not-found`. */
export function followWrite(context: Context, writeId: string): AsyncGenerator<readonly ListedUpload[]> {
  const tell = onceEach<ListedUpload>();
  return follow(context, ['uploads', 'upload_items'], async (own) => {
    const upload = await getUpload(own.sql, writeId);
    if (!upload) throw new AppError('not-found', 'there is no such write', 'writeId');
    const counts = await countItems(own.sql, upload);
    return {
      told: tell(upload, [upload.state, upload.resumeAt, counts]),
      isOver: isOver('upload', upload.state),
    };
  });
}

/** The connections of the scope or of some companies as they are now, and each when its status changes. */
export function followConnections(
  context: Context,
  companyIds: readonly number[] | null,
): AsyncGenerator<readonly ConnectedPlatform[]> {
  const known = new Map<string, string>();
  return follow(context, ['connections'], async ({ client, loaders }) => {
    const rows = await client.connection.findMany({
      where: companyIds ? { svcCompanyId: { in: companyIds.map(BigInt) } } : {},
      select: { svcCompanyId: true, svcId: true, status: true, syncStatus: true },
      orderBy: { svcId: 'asc' },
    });
    const changed = rows.filter(({ svcId, status, syncStatus }) => {
      const isNew = known.get(String(svcId)) !== `${status} ${syncStatus}`;
      known.set(String(svcId), `${status} ${syncStatus}`);
      return isNew;
    });
    const told = await Promise.all(
      changed.map(async ({ svcCompanyId, svcId }) => {
        const connections = await loaders.connections().load(String(svcCompanyId));
        return connections.find((one) => one.svcId === Number(svcId));
      }),
    );
    return { told: told.filter((one) => one !== undefined), isOver: false };
  });
}
