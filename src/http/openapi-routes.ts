import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Limits } from '../limits.js';
import { packagePath } from '../package-path.js';
import { deploy, type OpenApi } from '../rest/description/document.js';
import { createPostman } from '../rest/description/postman.js';
import { lazily } from '../rest/remember.js';

/** Paths that tools try for such a document. */
const USUAL = ['/openapi', '/swagger.json', '/api-docs', '/v3/openapi.json'];

/**
 * GET /openapi.json: the description of REST, and GET /postman.json: the same as a collection. They need no key: they
 * contain no organisation's data, and tools fetch them without one.
 */
export function serveOpenApi(
  server: FastifyInstance,
  {
    publicUrl,
    limits,
    prefix,
  }: { readonly publicUrl: () => string; readonly limits: Limits; readonly prefix: string },
): void {
  const read = (): OpenApi => {
    const document = JSON.parse(readFileSync(packagePath('docs/openapi.json'), 'utf8')) as OpenApi;
    return deploy(document, { url: publicUrl(), limits });
  };
  const text = lazily(() => JSON.stringify(read()));
  const collection = lazily(() => JSON.stringify(createPostman(read())));
  server.get('/openapi.json', (_request, reply) =>
    reply.headers(OPEN).type('application/json; charset=utf-8').send(text()),
  );
  server.get('/postman.json', (_request, reply) =>
    reply.headers(OPEN).type('application/json; charset=utf-8').send(collection()),
  );
  for (const path of USUAL) {
    server.get(path, (_request, reply) => reply.headers(OPEN).redirect(`${prefix}/openapi.json`, 308));
  }
}

/** The same for everybody. */
const OPEN = { 'cache-control': 'public, max-age=300' };
