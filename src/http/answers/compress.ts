import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Smaller responses fit into one packet uncompressed. */
const MIN_BYTES = 1024;
const TEXT = /^(text\/|image\/svg|application\/([\w.-]+\+)?(json|javascript|yaml))/;

const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const GZIP = { level: 1 };

/** Run in Node's thread pool, at a level that costs less than the network saves; the better one first. */
export const ENCODERS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, GZIP),
};
type Encoding = keyof typeof ENCODERS;

/** A stream encoder for the client's preferred encoding; null for none. */
export function streamEncoder(
  accepted: FastifyRequest['headers']['accept-encoding'],
): { readonly encoding: string; readonly stream: Transform } | null {
  const encoding = bestEncoding(accepted);
  if (encoding === null) return null;
  const stream = encoding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip(GZIP);
  return { encoding, stream };
}

/**
 * Compresses text for clients that accept it. Not for streams: most files are already compressed, events must not wait
 * for each other, and long texts use `streamEncoder`. Nor for responses with secrets, whose compressed size could
 * reveal them next to text chosen by the caller.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload: unknown) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (payload.length < MIN_BYTES || !isCompressible(reply)) return payload;
    const encoding = bestEncoding(request.headers['accept-encoding']);
    if (encoding === null) return payload;
    const body = await ENCODERS[encoding](Buffer.from(payload as string));
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    return body;
  });
}

function isCompressible(reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type') ?? '');
  const isSecret = String(reply.getHeader('cache-control') ?? '').includes('no-store');
  return TEXT.test(type) && !isSecret && !reply.hasHeader('content-encoding');
}

/** The preferred supported encoding of an `Accept-Encoding` header (RFC 9110, 12.5.3); null for none. */
export function bestEncoding(header: FastifyRequest['headers']['accept-encoding']): Encoding | null {
  if (header === undefined) return null;
  const weights = new Map(
    String(header)
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
        const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
        return [name === 'x-gzip' ? 'gzip' : name, Number(weight)];
      }),
  );
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = (Object.keys(ENCODERS) as Encoding[]).sort(
    (left, right) => weightOf(right) - weightOf(left),
  );
  return best && weightOf(best) > 0 ? best : null;
}
