import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { badRequest, Failure } from '../failure.js';

/** A request, as handlers see it. */
export interface Call {
  readonly method: string;
  /** As sent; the router decodes segments that are parameters. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The scheme and host that the caller used. */
  readonly origin: string;
  /** The whole body, read once; throws `too-large` above the limit. */
  body(limit?: number): Promise<Buffer>;
}

const BODY_LIMIT = 1_000_000;

export function readCall(request: IncomingMessage): Call {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  let body: Promise<Buffer> | undefined;
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    origin: `http://${request.headers.host ?? '127.0.0.1'}`,
    body: (limit = BODY_LIMIT) => (body ??= readBody(request, limit)),
  };
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > limit) throw new Failure('too-large', `the body must not be longer than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A header; null if it is missing or empty. */
export function header(call: Call, name: string): string | null {
  const value = call.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

const JSON_DEPTH = 32;

/** The body as a JSON object. */
export async function jsonBody(call: Call): Promise<Record<string, unknown>> {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(header(call, 'content-type') ?? '')) {
    throw new Failure('unsupported-media', 'the body must be JSON, with Content-Type: application/json');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await call.body()));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badRequest('', 'the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('', 'the body must be a JSON object');
  }
  if (depthOf(value) > JSON_DEPTH)
    throw badRequest('', `the body is nested deeper than ${JSON_DEPTH} levels`);
  return value as Record<string, unknown>;
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth += 1) {
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
    if (level.length === 0 || depth > JSON_DEPTH) return depth;
  }
}

/** The fields of a form-encoded body. */
export async function formBody(call: Call): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(header(call, 'content-type') ?? '')) {
    throw new Failure('unsupported-media', 'the body must be form-encoded');
  }
  return new URLSearchParams((await call.body()).toString('utf8'));
}

/** An integer query parameter within limits. */
export function wholeNumber(
  call: Call,
  name: string,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  const text = call.query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw badRequest(name, `${name} must be a whole number from ${min} to ${max}`);
}

/** Parses an ISO timestamp. */
export function instantOf(text: string, name: string): Date {
  const instant = new Date(text);
  if (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i.test(text) &&
    !Number.isNaN(instant.getTime())
  ) {
    return instant;
  }
  throw badRequest(name, `${name} must be an instant such as 2026-11-21T10:30:00.000Z`);
}
