import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { jsonExcess, parseJson } from '../../base/raw-json.js';
import { type Held, HeldBytes } from '../limits/held-bytes.js';
import { receiveBody } from './receive-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    held: Held | null;
  }
}

type BodyLimits = Pick<Limits, 'bodyBytes' | 'heldBodyBytes' | 'bodyValues' | 'numberDigits' | 'jsonDepth'>;

/**
 * Receives and parses JSON bodies, keeping all digits of numbers: UTF-8 only (ASCII is a part of it), and within the limits of bytes, values,
 * digits and depth, all checked before parsing. An empty body counts as no body.
 */
export function acceptJson(server: FastifyInstance, limits: BodyLimits): void {
  const bodies = new HeldBytes(limits.heldBodyBytes);
  server.decorateRequest('held', null);
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (request.headers['content-type'] !== undefined) {
      const held = bodies.open(String(request.caller?.scope.organisationId ?? ''));
      request.held = held;
      // Even if the caller disconnects before the response.
      reply.raw.once('close', held.release);
    }
    done(null, payload);
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(/^application\/json/, async (request: FastifyRequest, payload: Readable) => {
    const charset = /charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) {
      throw new AppError('unsupported-media-type', `the charset must be utf-8, got ${charset}`);
    }
    const { held } = request;
    if (!held) throw new Error('a body without a content type');
    return parse(await receiveBody(request, payload, { max: maxBytes(request, limits), held }), limits);
  });
}

/** Large bodies are only for callers with write scope. */
function maxBytes({ routeOptions, caller }: FastifyRequest, { bodyBytes }: BodyLimits): number {
  const max = routeOptions.bodyLimit ?? bodyBytes;
  return caller?.scopes.has('write') ? max : Math.min(max, bodyBytes);
}

function parse(body: Buffer, limits: BodyLimits): unknown {
  if (body.length === 0) return undefined;
  const text = decode(body);
  checkJson(text, limits);
  try {
    return parseJson(text);
  } catch (error) {
    throw invalid('body', `is not valid JSON: ${(error as Error).message}`);
  }
}

/** Throws if JSON exceeds a limit. */
export function checkJson(
  text: string,
  { jsonDepth, bodyValues, numberDigits }: Pick<Limits, 'jsonDepth' | 'bodyValues' | 'numberDigits'>,
): void {
  switch (jsonExcess(text, { depth: jsonDepth, values: bodyValues, digits: numberDigits })) {
    case 'depth':
      throw invalid('body', `is nested deeper than ${jsonDepth} levels`);
    case 'values':
      throw new AppError('payload-too-large', `the body holds more than ${bodyValues} values`, 'body');
    case 'digits':
      throw invalid('body', `has a number of more than ${numberDigits} digits`);
    case null:
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw invalid('body', 'is not valid UTF-8');
  }
}
