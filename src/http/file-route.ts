import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Database } from '../db/database.js';
import { createScope } from '../db/scope.js';
import { AppError } from '../errors.js';
import { safeContentType } from '../files/content-type.js';
import { attachmentHeader } from '../files/file-name.js';
import type { Files } from '../files/index.js';
import { FILE_PATH } from '../files/links.js';
import type { Limits } from '../limits.js';
import { findGranted } from '../store/document-files.js';
import { parseRange } from './answers/byte-range.js';

interface FileRouteOptions {
  readonly database: Database;
  readonly files: Files;
  readonly limits: Pick<Limits, 'slowReaderMilliseconds'>;
}

/** A file must not be executed, shown as our page, or cached by proxies. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Serves files at the URLs made by `downloadDocument`. No API key: anybody with such a URL may fetch that file until it
 * expires. All invalid URLs get the same response.
 */
export function serveFiles(server: FastifyInstance, { database, files, limits }: FileRouteOptions): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: `${FILE_PATH}/:token`,
    handler: async (request, reply) => {
      void reply.headers(HEADERS);
      const grant = files.links.open((request.params as { token: string }).token);
      if (!grant) throw nothingThere();
      // The signature replaces the key of the caller who requested the URL.
      const scope = createScope(grant.organisationId, [grant.svcCompanyId]);
      const file = await findGranted(database.sql(scope), grant);
      if (!file) throw nothingThere();
      const etag = `"${file.sha256}"`;
      const range = request.method === 'GET' ? rangeOf(request, etag, file.size) : null;
      if (range === 'unsatisfiable') {
        void reply.header('content-range', `bytes */${file.size}`);
        const message = `range must lie within the ${file.size} bytes of the file`;
        throw new AppError('range-not-satisfiable', message, 'range');
      }
      const content =
        request.method === 'HEAD' ? null : await files.store.read(file.storeKey, range ?? undefined);
      if (!content && !(request.method === 'HEAD' && (await files.store.has(file.storeKey)))) {
        throw nothingThere();
      }
      void reply
        .header('accept-ranges', 'bytes')
        .header('etag', etag)
        .header('content-disposition', attachmentHeader(file.fileName))
        .header('content-type', safeContentType(file.contentType, file.fileType))
        .header('content-length', range ? range.last - range.first + 1 : file.size);
      if (range) {
        void reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size}`);
      }
      // Anybody with the address may leave it open; what the store sends comes in less time, or fails.
      reply.raw.setTimeout(limits.slowReaderMilliseconds);
      return content ? reply.send(content) : reply.send();
    },
  });
}

/** A range is useful only to a client that has the other parts of this version. */
function rangeOf({ headers }: FastifyRequest, etag: string, size: number) {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? parseRange(headers.range, size) : null;
}

function nothingThere(): AppError {
  const message = 'there is no such file, or its address has expired: ask for the document again';
  return new AppError('not-found', message);
}
