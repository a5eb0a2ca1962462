import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../errors.js';

/** Parses JSON bodies: UTF-8 only, and no deeper than the limit. An empty body is none. */
export function acceptJson(server: FastifyInstance, mostDepth: number): void {
  server.removeAllContentTypeParsers();
  const parse = (request: FastifyRequest, body: Buffer): unknown => {
    const charset = /charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset && !/^utf-?8$/i.test(charset)) {
      throw new AppError('unsupported-media-type', `the charset must be utf-8, got ${charset}`);
    }
    if (body.length === 0) return undefined;
    const text = decode(body);
    if (isDeeper(text, mostDepth))
      throw invalid('body', `the body is nested deeper than ${mostDepth} levels`);
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw invalid('body', `the body is not valid JSON: ${(error as Error).message}`);
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
    throw invalid('body', 'the body is not valid UTF-8');
  }
}

/** Whether a JSON text is nested deeper than `most`. Brackets inside strings do not count. */
export function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < text.length && deepest <= most; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 123 || code === 91) deepest = Math.max(deepest, (depth += 1));
    else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest > most;
}
