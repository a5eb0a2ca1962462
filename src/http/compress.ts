import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Smaller answers fit into one packet as they are. */
const MIN_BYTES = 1024;
const TEXT = /^(text\/|image\/svg|application\/([\w.-]+\+)?(json|javascript|yaml))/;

const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 3,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const GZIP = { level: 1 };

/** By threads of Node's own, at a level that costs less than the network saves; the better one first. */
export const ENCODERS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, GZIP),
};
type Encoding = keyof typeof ENCODERS;

/** The encoder of a stream in the encoding that a client likes best; null for the stream as it is. */
export function streamEncoder(
  accepted: FastifyRequest['headers']['accept-encoding'],
): { readonly encoding: string; readonly stream: Transform } | null {
  const encoding = bestEncoding(accepted);
  if (encoding === null) return null;
  const stream = encoding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip(GZIP);
  return { encoding, stream };
}

/**
 * Compresses text for clients that take it. Streams are not its matter: files are compressed mostly, events must not wait
 * for each other, and who sends long texts has `streamEncoder`. Nor are answers with secrets, whose size would tell of them
 * beside what a caller made them contain.
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

/** What a header `Accept-Encoding` likes best of what there is (RFC 9110, 12.5.3); null for the answer as it is. */
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
