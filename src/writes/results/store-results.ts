import type { PlatformObject } from '../../connectors/platform.js';
import type { PullResource } from '../../connectors/pull.js';
import { isOutage } from '../../db/database-error.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { AppError, type WriteWarning } from '../../errors.js';
import type { FileStore } from '../../files/file-store.js';
import type { Logger } from '../../telemetry/log.js';
import { assertHeld, LeaseLost, noteProgress } from '../../runs/lease.js';
import { keepSentFiles, type SentFile, withFile } from '../../store/document-files.js';
import { mapObjects } from '../../store/map-objects.js';
import type { IncomingRecord } from '../../store/ready-batch.js';
import { storeBatch } from '../../store/store-records.js';
import type { StoreTarget } from '../../store/change-log.js';
import { lookupsFor } from '../../store/lookups.js';
import { failPoint } from '../fail-points.js';
import { type ItemFile, removeItemFiles } from '../item-files.js';
import { changeItems, hasEnded, type ItemChange } from '../item-state.js';
import { planLook } from './look-again.js';
import { throughOutage } from './through-outage.js';
import { type ClaimedUpload, endIfDone, tellEnd } from '../upload-state.js';

/** The result of an item, with the platform's object if it was written. */
export interface ItemResult {
  readonly change: ItemChange;
  readonly object: PlatformObject | null;
  /** It was sent more than once: duplicates are looked for later. */
  readonly isResent?: boolean;
  /** File sent with it. */
  readonly file: ItemFile | null;
}

export interface StoreContext {
  readonly sql: TenantSql;
  readonly upload: ClaimedUpload;
  readonly target: StoreTarget;
  readonly resource: PullResource;
  readonly baseCurrency: string | null;
  readonly log: Logger;
  readonly files: FileStore;
}

/**
 * Stores the platform's answers, their change log, and the results of the items, all or nothing; the upload ends with
 * the last of them.
 */
export async function storeResults(storing: StoreContext, results: readonly ItemResult[]): Promise<void> {
  try {
    await storeInOne(storing, results);
  } catch (error) {
    if (isNotOurs(error) || results.every(({ object }) => object === null)) throw error;
    storing.log.error(
      { err: error, uploadId: storing.upload.uploadId },
      'written records could not be stored',
    );
    // A response that cannot be stored does not block the others, and its write is not repeated.
    if (results.length === 1) return storeInOne(storing, results.map(withoutRecord));
    for (const result of results) await storeResults(storing, [result]);
  }
}

function isNotOurs(error: unknown): boolean {
  const isGone = error instanceof AppError && error.code === 'not-found';
  return isGone || error instanceof LeaseLost || isOutage(error);
}

const NOT_STORED: WriteWarning = {
  words: 'it was written, but the answer could not be read: the next sync will read the record',
  path: [],
};

function withoutRecord({ change, file, isResent }: ItemResult): ItemResult {
  return {
    file,
    ...(isResent && { isResent }),
    object: null,
    change: { ...change, warnings: [...change.warnings, NOT_STORED] },
  };
}

/** Only an end shows afterwards that a lost COMMIT has stored it. */
const storeInOne = (storing: StoreContext, results: readonly ItemResult[]): Promise<void> =>
  results.some(({ change }) => change.ended)
    ? throughOutage((isRepeat) => storeTogether(storing, results, isRepeat))
    : storeTogether(storing, results, false);

async function storeTogether(
  storing: StoreContext,
  results: readonly ItemResult[],
  isRepeat: boolean,
): Promise<void> {
  const { sql, upload, target, resource } = storing;
  const objects = results.map(({ object }) => object).filter((object) => object !== null);
  const lookups =
    objects.length === 0 ? null : await lookupsFor(sql, target, { resource, objects }, storing.baseCurrency);
  const records: IncomingRecord[] = [];
  const sent: SentFile[] = [];
  const changes = results.map(({ change, object, file }) => {
    const [record] = object && lookups ? mapObjects(resource, [object], lookups).records : [];
    if (record) records.push(file ? withFile(record) : record);
    if (record && file) sent.push({ file, platformId: record.platformId, dataHash: record.dataHash });
    if (object === null || record) return { ...change, platformId: record?.platformId ?? null };
    return { ...change, warnings: [...change.warnings, NOT_STORED] };
  });
  failPoint('before results are stored');
  let kept: readonly SentFile[] = [];
  const store = async (transaction: TenantSql) => {
    if (records.length === 0) return;
    const cause = { kind: 'write', id: upload.uploadId } as const;
    await storeBatch(transaction, { ...target, definition: resource.definition, cause, records });
    kept = await keepSentFiles(transaction, target, cause, sent);
  };
  const stored = await sql.transaction(async (transaction) => {
    await assertHeld(transaction, upload);
    if (isRepeat && (await hasEnded(transaction, upload, changes))) return null;
    await store(transaction);
    failPoint('inside the storing transaction');
    await changeItems(transaction, upload, resource.definition.table, changes);
    for (const { isResent, change } of results) {
      const look = { svcCompanyId: upload.svcCompanyId, itemSvcId: change.svcId, looks: 0 };
      if (isResent) await planLook(transaction, upload.connectionId, look);
    }
    if (changes.some(({ ended }) => ended)) await noteProgress(transaction, upload);
    return { end: await endIfDone(transaction, upload) };
  });
  if (!stored) return;
  tellEnd(storing.log, sql, upload, stored.end);
  failPoint('after results are stored');
  const keys = new Set(kept.map(({ file }) => file.storeKey));
  const unused = results.filter(({ change, file }) => change.ended && file && !keys.has(file.storeKey));
  await removeItemFiles(
    storing.files,
    unused.map(({ file }) => file),
  );
}
