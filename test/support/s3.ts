import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import aws4 from 'aws4';

/** The only login of the server. */
export const S3_LOGIN = { accessKeyId: 'test-access-key', secretAccessKey: 'test-secret-key' };

/** Less than the 1,000 of AWS, so that lists have pages. */
const KEYS_A_PAGE = 5;
/** Maximum clock skew, as at AWS. */
const MAX_SKEW_MS = 15 * 60_000;

/** What a deletion meets instead: a refusal with a status and a code, a cut connection, or no answer. */
export type Obstacle = readonly [status: number, code: string] | 'cut' | 'silent';

export interface S3Server {
  readonly endpoint: string;
  /** Keys that were to be deleted, once for each request. */
  readonly deletions: string[];
  /** Sets what deletions meet. */
  obstruct(how: (key: string) => Obstacle | null | Promise<Obstacle>): void;
  close(): Promise<void>;
}

class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/**
 * A server for the part of S3 that the service uses, with buckets in memory and path-style URLs. It verifies the
 * signature of every request with a library that the service does not use (aws4), and refuses what AWS refuses: a body
 * that differs from the signed one, an old date, a bulk deletion without a checksum.
 */
export async function startS3(
  buckets: readonly string[],
  { isBlindToRanges = false } = {},
): Promise<S3Server> {
  const stored = new Map(buckets.map((name) => [name, new Map<string, Buffer>()]));
  const deletions: string[] = [];
  let obstacleOf: Parameters<S3Server['obstruct']>[0] = () => null;
  /** Whether the deletion may go on. */
  const mayDelete = async (key: string, response: ServerResponse): Promise<boolean> => {
    deletions.push(key);
    const obstacle = await obstacleOf(key);
    if (typeof obstacle === 'object' && obstacle) throw new S3Error(...obstacle);
    if (obstacle === 'cut') response.destroy();
    return obstacle === null;
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, error));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    verify(request, body);
    const url = new URL(request.url ?? '/', 'http://s3');
    const [, name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const bucket = stored.get(name);
    if (!bucket) throw new S3Error(404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') return onBucket(request, response, { bucket, query: url.searchParams, body });
    if (request.method === 'DELETE' && !(await mayDelete(key, response))) return;
    onObject(request, response, { bucket, key, body, isBlindToRanges });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deletions,
    obstruct: (how) => {
      obstacleOf = how;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Signs the request as its sender should have, and compares. */
function verify({ method = '', url = '', headers }: IncomingMessage, body: Buffer): void {
  const { authorization = '' } = headers;
  const [, region = '', names = ''] =
    /Credential=[^/]+\/\d+\/([^/]+)\/.*SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const signed = names.split(';');
  for (const needed of ['host', 'x-amz-date', 'x-amz-content-sha256']) {
    if (!signed.includes(needed)) throw new S3Error(403, 'AccessDenied');
  }
  const sent = Object.fromEntries(signed.map((name) => [name, String(headers[name])]));
  const again = aws4.sign(
    {
      method,
      host: sent['host'] ?? '',
      path: url,
      service: 's3',
      region,
      headers: sent,
      // Otherwise it would omit `range`.
      extraHeadersToInclude: Object.fromEntries(signed.map((name) => [name, true])),
    },
    S3_LOGIN,
  );
  const plain = (text: string) => text.replaceAll(' ', '');
  if (plain(again.headers.Authorization) !== plain(authorization))
    throw new S3Error(403, 'SignatureDoesNotMatch');
  const stamp = sent['x-amz-date'] ?? '';
  const date = stamp.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5');
  if (!(Math.abs(Date.now() - Date.parse(date)) < MAX_SKEW_MS))
    throw new S3Error(403, 'RequestTimeTooSkewed');
  const digest = sent['x-amz-content-sha256'];
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== createHash('sha256').update(body).digest('hex')) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch');
  }
}

interface OnBucket {
  readonly bucket: Map<string, Buffer>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** HeadBucket, ListObjectsV2, DeleteObjects. */
function onBucket(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { bucket, query, body }: OnBucket,
): void {
  if (method === 'HEAD') return void response.end();
  if (method === 'GET' && query.get('list-type') === '2') {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const left = [...bucket.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = left.slice(0, KEYS_A_PAGE);
    const isMore = left.length > page.length;
    const next = isMore ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    const contents = page.map((key) => `<Contents><Key>${escaped(key)}</Key></Contents>`).join('');
    return sendXml(
      response,
      `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${contents}</ListBucketResult>`,
    );
  }
  if (method === 'POST' && query.has('delete')) {
    const isChecked = Object.keys(headers).some((name) => /^(content-md5|x-amz-checksum-.*)$/.test(name));
    if (!isChecked) throw new S3Error(400, 'InvalidRequest');
    for (const [, key = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) bucket.delete(unescaped(key));
    return sendXml(response, '<DeleteResult/>');
  }
  throw new S3Error(501, 'NotImplemented');
}

interface OnObject {
  /** Some compatible stores answer a range with all of the object. */
  readonly isBlindToRanges: boolean;
  readonly bucket: Map<string, Buffer>;
  readonly key: string;
  readonly body: Buffer;
}

/** PutObject, HeadObject, GetObject with or without a range, DeleteObject. */
function onObject(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { bucket, key, body, isBlindToRanges }: OnObject,
): void {
  if (method === 'PUT') {
    bucket.set(key, body);
    return void response.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`).end();
  }
  if (method === 'DELETE') {
    bucket.delete(key);
    return void response.writeHead(204).end();
  }
  if (method !== 'GET' && method !== 'HEAD') throw new S3Error(501, 'NotImplemented');
  const content = bucket.get(key);
  if (!content) throw new S3Error(404, 'NoSuchKey');
  const asked = isBlindToRanges ? '' : (headers.range ?? '');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked) ?? [];
  const part = first === undefined ? content : content.subarray(Number(first), Number(last) + 1);
  response.writeHead(first === undefined ? 200 : 206, {
    'content-length': part.length,
    ...(first === undefined ? {} : { 'content-range': `bytes ${first}-${last}/${content.length}` }),
  });
  response.end(method === 'HEAD' ? undefined : part);
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, code } = error instanceof S3Error ? error : new S3Error(500, 'InternalError');
  sendXml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
}

function sendXml(response: ServerResponse, xml: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
