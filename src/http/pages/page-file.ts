import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { packagePath } from '../../package-path.js';
import { bestEncoding, ENCODERS } from '../answers/compress.js';

interface PageFileOptions {
  readonly type: 'text/css' | 'text/javascript';
  /** Seconds that a browser keeps it. */
  readonly maxAge: number;
}

/** A script or stylesheet that the build has put into `dist/pages`, compressed when it is first asked for. */
export function servePageFile(server: FastifyInstance, url: string, { type, maxAge }: PageFileOptions): void {
  const read = () => readFile(packagePath(`dist/pages/${basename(url)}`));
  const packed: Partial<Record<keyof typeof ENCODERS, Promise<Buffer>>> = {};
  server.get(url, async (request, reply) => {
    reply.type(`${type}; charset=utf-8`).header('cache-control', `public, max-age=${maxAge}`);
    const encoding = bestEncoding(request.headers['accept-encoding']);
    if (encoding === null) return read();
    const body = await (packed[encoding] ??= read().then(ENCODERS[encoding]));
    reply.header('content-encoding', encoding);
    return body;
  });
}
