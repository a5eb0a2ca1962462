import type { TenantSql } from '../db/tenant-sql.js';
import { AppError, passingConflict } from '../errors.js';
import type { FileSummary } from '../files/file-store.js';
import type { FileGrant } from '../files/links.js';
import { type Cause, changeRecords, lockChangeHead, type StoreTarget } from './change-log.js';
import { LOCAL_VERSION } from './local-version.js';
import type { IncomingRecord } from './ready-batch.js';

/** A document, as far as its file needs it. */
export interface FileDocument {
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly platformId: string;
  readonly dataHash: string;
  readonly isUploaded: boolean;
  readonly isDeleted: boolean;
  readonly fileType: string | null;
  /** It exists only here: see `LOCAL_VERSION`. */
  readonly isLocal: boolean;
}

/** A file that is kept, and which state of its document it belongs to. */
export interface KeptFile extends FileSummary {
  readonly storeKey: string;
  readonly contentType: string | null;
  readonly dataHash: string;
}

const DOCUMENT = `t.svc_id AS "svcId", t.svc_company_id AS "svcCompanyId", t.connection_id AS "connectionId",
  t.svc_integration_type AS "integrationType", t.platform_id AS "platformId", t.data_hash AS "dataHash",
  COALESCE(t.document_uploaded, false) AS "isUploaded", t.svc_deleted_at IS NOT NULL AS "isDeleted",
  t.file_type AS "fileType", t.mapper_version = ${LOCAL_VERSION} AS "isLocal"`;
const FILE = `f.store_key AS "storeKey", f.size, f.content_type AS "contentType", f.sha256, f.data_hash AS "dataHash"`;

/** Absent, foreign and deleted by now are all the same. */
export const noDocument = (): AppError =>
  new AppError('not-found', 'there is no such document', 'documentId');

/** A company's document by its svc_id; or by its platform id, the living one where several connections have it. */
export async function findDocument(
  sql: TenantSql,
  svcCompanyId: number,
  id: { readonly svcId: number } | { readonly platformId: string },
): Promise<FileDocument | null> {
  const query = sql.query();
  const company = query.bind(svcCompanyId);
  const which =
    'svcId' in id
      ? `t.svc_id = ${query.bind(id.svcId)}`
      : `t.platform_id = ${query.bind(id.platformId)} AND t.connection_id IN (
           SELECT c.svc_id FROM connections c WHERE ${query.within('c')} AND c.svc_company_id = ${company})`;
  const [row] = await sql.rows<FileDocument>(
    query,
    `SELECT ${DOCUMENT} FROM documents t WHERE ${query.filtered('t')} AND t.svc_company_id = ${company} AND ${which}
     ORDER BY t.svc_deleted_at NULLS FIRST, t.svc_id LIMIT 1`,
  );
  return row ?? null;
}

export async function findFile(
  sql: TenantSql,
  { svcCompanyId, svcId }: Pick<FileDocument, 'svcCompanyId' | 'svcId'>,
): Promise<KeptFile | null> {
  const query = sql.query();
  const [row] = await sql.rows<KeptFile>(
    query,
    `SELECT ${FILE} FROM document_files f WHERE ${query.filtered('f')}
       AND f.svc_company_id = ${query.bind(svcCompanyId)} AND f.document_svc_id = ${query.bind(svcId)}`,
  );
  return row ?? null;
}

/** The file that an address was made for, with its name in the document; null if either is gone. */
export async function findGranted(
  sql: TenantSql,
  { svcCompanyId, documentSvcId, storeKey }: FileGrant,
): Promise<(KeptFile & { readonly fileName: string | null; readonly fileType: string | null }) | null> {
  const query = sql.query();
  const [row] = await sql.rows<KeptFile & { fileName: string | null; fileType: string | null }>(
    query,
    `SELECT ${FILE}, t.file_name AS "fileName", t.file_type AS "fileType"
     FROM document_files f JOIN documents t ON t.svc_company_id = f.svc_company_id AND t.svc_id = f.document_svc_id
     WHERE ${query.filtered('f')} AND ${query.filtered('t')} AND f.svc_company_id = ${query.bind(svcCompanyId)}
       AND f.document_svc_id = ${query.bind(documentSvcId)} AND f.store_key = ${query.bind(storeKey)}
       AND t.svc_deleted_at IS NULL`,
  );
  return row ?? null;
}

interface Keeping {
  readonly document: FileDocument;
  readonly file: KeptFile;
  /** The unusable cached file that was known when this one was fetched. */
  readonly replaces: KeptFile | null;
  /** Stands in the change log as the cause. */
  readonly requestId: string;
}

/**
 * Stores a file and marks its document, with the change log, in one transaction. Returns the stored file: that of a
 * faster writer stays. Throws `conflict` if the document has changed, `not-found` if it is gone.
 */
export function keepFile(sql: TenantSql, keeping: Keeping): Promise<KeptFile> {
  const { document, file, replaces } = keeping;
  return sql.transaction(async (transaction) => {
    await mark(transaction, { document, file, cause: { kind: 'download', id: keeping.requestId } });
    const kept = await findFile(transaction, document);
    if (kept && kept.storeKey !== replaces?.storeKey && kept.dataHash === file.dataHash) return kept;
    await insertFile(transaction, document, file);
    return file;
  });
}

async function insertFile(transaction: TenantSql, document: FileDocument, file: KeptFile): Promise<void> {
  const query = transaction.query();
  const values = [
    document.svcCompanyId,
    document.svcId,
    file.storeKey,
    file.size,
    file.contentType,
    file.sha256,
    file.dataHash,
  ].map((value) => query.bind(value));
  await transaction.rows(
    query,
    `INSERT INTO document_files AS f (svc_organisation_id, svc_company_id, document_svc_id, store_key, size,
       content_type, sha256, data_hash) VALUES ($1, ${values.join(', ')})
     ON CONFLICT (svc_company_id, document_svc_id) DO UPDATE SET store_key = excluded.store_key,
       size = excluded.size, content_type = excluded.content_type, sha256 = excluded.sha256,
       data_hash = excluded.data_hash, stored_at = excluded.stored_at
     WHERE f.svc_organisation_id = $1`,
  );
}

/** A file that a platform has accepted, and the resulting document. */
export interface SentFile {
  readonly file: Omit<KeptFile, 'dataHash'>;
  readonly platformId: string;
  readonly dataHash: string;
}

/** A document whose file is here already. */
export const withFile = (record: IncomingRecord): IncomingRecord => ({
  ...record,
  values: { ...record.values, documentUploaded: true },
});

/**
 * Stores sent files as those of the resulting documents, in the transaction that stores the documents. Returns the
 * stored ones: without files that another writer has stored in the meantime, and files of documents that have changed.
 */
export async function keepSentFiles(
  transaction: TenantSql,
  { svcCompanyId, connectionId }: StoreTarget,
  cause: Cause,
  sent: readonly SentFile[],
): Promise<SentFile[]> {
  const kept: SentFile[] = [];
  for (const one of sent) {
    const query = transaction.query();
    const [document] = await transaction.rows<FileDocument>(
      query,
      `SELECT ${DOCUMENT} FROM documents t WHERE ${query.filtered('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
         AND t.connection_id = ${query.bind(connectionId)} AND t.platform_id = ${query.bind(one.platformId)}`,
    );
    if (!document || document.isDeleted || document.dataHash !== one.dataHash) continue;
    const file = { ...one.file, dataHash: one.dataHash };
    if ((await findFile(transaction, document))?.dataHash === file.dataHash) continue;
    // A sync may have been faster, and does not know of the file.
    await mark(transaction, { document, file, cause });
    await insertFile(transaction, document, file);
    kept.push(one);
  }
  return kept;
}

/**
 * Marks in a document that its file is cached, with the change log: a sync that left its content alone has reset the
 * mark.
 */
export function markUploaded(
  sql: TenantSql,
  { document, file, requestId }: Omit<Keeping, 'replaces'>,
): Promise<void> {
  const cause = { kind: 'download', id: requestId } as const;
  return sql.transaction((transaction) => mark(transaction, { document, file, cause }));
}

/** Marks the document as uploaded; no one else can change it until the transaction ends. */
async function mark(
  transaction: TenantSql,
  { document, file, cause }: Pick<Keeping, 'document' | 'file'> & { readonly cause: Cause },
): Promise<void> {
  const head = await lockHead(transaction, document);
  const { svcCompanyId, svcId } = document;
  const current = await findDocument(transaction, svcCompanyId, { svcId });
  if (!current || current.isDeleted) throw noDocument();
  if (current.dataHash !== file.dataHash) {
    throw passingConflict('the document was changed while its file was fetched; try again');
  }
  const changing = { head, target: document, dataModel: 'DOCUMENTS', cause };
  await changeRecords(transaction, changing, (query, { company, connection, now }) => {
    const which = (alias: string) =>
      `${query.within(alias)} AND ${alias}.svc_company_id = ${company} AND ${alias}.connection_id = ${connection}
         AND ${alias}.svc_id = ${query.bind(svcId)}`;
    const ctes = `old AS MATERIALIZED (
       SELECT s.svc_id, s.document_uploaded FROM documents s WHERE ${which('s')}
     ), changed AS (
       UPDATE documents t SET document_uploaded = true, svc_updated_at = ${now}, revision = t.revision + 1
       WHERE ${which('t')} AND t.document_uploaded IS DISTINCT FROM true
       RETURNING t.svc_id, t.revision
     ), described AS (
       SELECT c.svc_id, 'UPDATE' AS operation, c.revision, NULL::text AS version,
         jsonb_build_object('document_uploaded', jsonb_build_array(o.document_uploaded, true)) AS changes
       FROM changed c JOIN old o USING (svc_id)
     )`;
    return { ctes, from: 'described', columns: 'd.svc_id AS "svcId"' };
  });
}

/** Without its connection a document is about to be removed. */
async function lockHead(transaction: TenantSql, target: StoreTarget) {
  try {
    return await lockChangeHead(transaction, target);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not-found' ? noDocument() : error;
  }
}
