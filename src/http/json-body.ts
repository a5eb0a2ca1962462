import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../errors.js';
import { isDeeper, parseJson } from '../raw-json.js';

/** Parses JSON bodies, with all digits of their numbers: UTF-8 only, and no deeper than the limit. An empty body is none. */
export function acceptJson(server: FastifyInstance, mostDepth: number): void {
  server.removeAllContentTypeParsers();
  const parse = (request: FastifyRequest, body: Buffer): unknown => {
    const charset = /charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset && !/^utf-?8$/i.test(charset)) {
      throw new AppError('unsupported-media-type', `the charset must be utf-8, got ${charset}`);
    }
    if (body.length === 0) return undefined;
    const text = decode(body);
    if (isDeeper(text, mostDepth)) throw invalid('body', `is nested deeper than ${mostDepth} levels`);
    try {
      return parseJson(text);
    } catch (error) {
      throw invalid('body', `is not valid JSON: ${(error as Error).message}`);
    }
  };
  server.addContentTypeParser(
    /^application\/json/,
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      try {
        done(null, parse(request, body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

const decoder = new TextDecoder('utf-8', { fatal: true });
function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalid('body', 'is not valid UTF-8');
  }
}
