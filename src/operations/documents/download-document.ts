import type { Context } from '../../context.js';
import { mayBeStored } from '../../db/database-error.js';
import { createFileKey } from '../../files/file-key.js';
import type { FileStore } from '../../files/file-store.js';
import { FILE_PATH } from '../../files/links.js';
import { parseText } from '../../base/values.js';
import {
  type FileDocument,
  findDocument,
  findFile,
  keepFile,
  type KeptFile,
  markUploaded,
  noDocument,
} from '../../store/document-files.js';
import { fetchDocument, noFile } from './fetch-document.js';

interface DocumentDownload {
  readonly companyId: number;
  /** A svc_id, or a platform id if not numeric. */
  readonly documentId: string;
}

/** Link to a document's file; nulls if nothing was done. */
export interface DownloadOutcome {
  readonly documentSvcId: number | null;
  readonly downloadUrl: string | null;
  readonly expiresAt: string | null;
}

/**
 * Creates a URL for a document's file. The file is fetched from the platform and stored the first time, and again after
 * a sync has found new content. Throws `not-found`, `no-file`, and the errors of reaching the platform.
 */
export async function downloadDocument(
  context: Context,
  { companyId, documentId }: DocumentDownload,
): Promise<DownloadOutcome> {
  const document = await findDocument(context.sql, companyId, parseDocumentId(documentId));
  if (!document) throw noDocument();
  if (document.isDeleted) throw noFile('it was deleted on its platform');
  if (document.isLocal) throw noFile('only its particulars were given');
  const { storeKey } = await fileOf(context, document);
  const { token, expiresAt } = context.files.links.issue({
    organisationId: context.sql.scope.organisationId,
    svcCompanyId: companyId,
    documentSvcId: document.svcId,
    storeKey,
  });
  return {
    documentSvcId: document.svcId,
    downloadUrl: `${context.publicUrl}${FILE_PATH}/${token}`,
    expiresAt: expiresAt.toISOString(),
  };
}

function parseDocumentId(text: string) {
  if (!/^\d+$/.test(text)) return { platformId: parseText(text, 'documentId') };
  const svcId = Number(text);
  if (!Number.isSafeInteger(svcId)) throw noDocument();
  return { svcId };
}

/** The stored file if it is the document's current one, else a new one. */
async function fileOf(context: Context, document: FileDocument): Promise<KeptFile> {
  const kept = await findFile(context.sql, document);
  if (!kept || !(await isPresent(context, document, kept))) {
    return once(context.files.store, document, () => presentFile(context, document));
  }
  if (!document.isUploaded) {
    await markUploaded(context.sql, { document, file: kept, requestId: context.requestId });
  }
  return kept;
}

const isPresent = async ({ files }: Context, { dataHash }: FileDocument, kept: KeptFile): Promise<boolean> =>
  kept.dataHash === dataHash && files.store.has(kept.storeKey);

/** Checks again: another caller's fetch may have ended since the first look. */
async function presentFile(context: Context, document: FileDocument): Promise<KeptFile> {
  const kept = await findFile(context.sql, document);
  return kept && (await isPresent(context, document, kept)) ? kept : bringFile(context, document, kept);
}

/** Fetches in flight in this process, shared by callers of the same file. */
const underWay = new WeakMap<FileStore, Map<string, Promise<KeptFile>>>();

function once(
  store: FileStore,
  { svcCompanyId, svcId, dataHash }: FileDocument,
  work: () => Promise<KeptFile>,
): Promise<KeptFile> {
  const fetches = underWay.get(store) ?? new Map<string, Promise<KeptFile>>();
  underWay.set(store, fetches);
  const key = `${svcCompanyId}:${svcId}:${dataHash}`;
  const running = fetches.get(key);
  if (running) return running;
  const fetch = work().finally(() => fetches.delete(key));
  fetches.set(key, fetch);
  return fetch;
}

/** If several processes fetch the same file, the first one's is stored and the others are removed. */
async function bringFile(
  context: Context,
  document: FileDocument,
  replaces: KeptFile | null,
): Promise<KeptFile> {
  const { sql, files, requestId } = context;
  const { contentType, content } = await fetchDocument(context, document);
  const storeKey = createFileKey(sql.scope.organisationId, document.svcCompanyId);
  const summary = await files.store.put(storeKey, content);
  const file = {
    ...summary,
    storeKey,
    contentType: contentType?.slice(0, 200) ?? null,
    dataHash: document.dataHash,
  };
  // A leftover file is removed with its company.
  const remove = (key: string) => files.store.remove(key).catch(() => undefined);
  try {
    const kept = await keepFile(sql, { document, file, replaces, requestId });
    const unused = kept === file ? replaces?.storeKey : storeKey;
    if (unused !== undefined) await remove(unused);
    return kept;
  } catch (error) {
    // The row may have been stored: then it needs its file.
    if (!mayBeStored(error)) await remove(storeKey);
    throw error;
  }
}
