import { findConnector } from '../../connectors/index.js';
import type { PlatformFile } from '../../connectors/platform.js';
import { parsePlatformJson } from '../../connectors/values/platform-json.js';
import { objectOf } from '../../connectors/values/platform-values.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { RawJson } from '../../base/raw-json.js';
import type { Category } from '../../records/define.js';
import { type FileDocument, noDocument } from '../../store/document-files.js';
import { requireAccess } from '../../platforms/scope-access.js';
import { reachConnection } from '../connections/reach-connection.js';

export const noFile = (why: string): AppError =>
  new AppError('no-file', `this document has no file: ${why}`, 'documentId');

/**
 * Streams a document's file from the platform. Throws `no-file` if there is none, `operation-denied` if the company
 * withholds its documents, `connection-expired` or `conflict` if the platform may not be called, `platform-*` if it does
 * not answer.
 */
export async function fetchDocument(context: Context, document: FileDocument): Promise<PlatformFile> {
  const { client, limits } = context;
  const { svcCompanyId, connectionId } = document;
  const connection = await client.connection.findFirst({
    where: { svcCompanyId: BigInt(svcCompanyId), svcId: BigInt(connectionId) },
  });
  if (!connection) throw noDocument();
  const { integrationType, category, status } = connection;
  const connector = findConnector(connection);
  if (!connector?.files) throw noFile(`files cannot be fetched from ${connector?.title ?? integrationType}`);
  if (status !== 'HEALTHY') {
    const message = `the connection is ${status}: the company has to connect ${integrationType} again`;
    throw new AppError('connection-expired', message);
  }
  const access = { svcCompanyId, category, operations: ['read'] } as const;
  await requireAccess(client, { ...access, dataModels: ['DOCUMENTS'] });
  const reached = { ...connection, svcId: connectionId, category: category as Category };
  const { platform } = await reachConnection(context, svcCompanyId, reached);
  const { platformId, fileType } = document;
  const rawData = await rawDataOf(context, document);
  const file = await connector.files.fetch(
    platform,
    { platformId, fileType, rawData },
    { timeoutMs: limits.fileMilliseconds, maxBytes: limits.fileBytes },
  );
  if (!file) throw noFile(`${connector.title} has none`);
  return file;
}

async function rawDataOf({ sql }: Context, { svcCompanyId, svcId }: FileDocument) {
  const query = sql.query();
  const [row] = await sql.rows<{ rawData: RawJson }>(
    query,
    `SELECT t.raw_data AS "rawData" FROM documents t
     WHERE ${query.filtered('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)} AND t.svc_id = ${query.bind(svcId)}`,
  );
  if (!row) throw noDocument();
  return objectOf(parsePlatformJson(row.rawData.text).value) ?? {};
}
