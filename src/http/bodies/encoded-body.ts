import type { Readable, Transform, Writable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.js';

/**
 * The chunk size of sockets. Each chunk takes a turn of the event loop, and the body holds memory until its last one.
 */
const STEP = { chunkSize: 64 * 1024 };

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(STEP),
  'x-gzip': () => createGunzip(STEP),
  deflate: () => createInflate(STEP),
  br: () => createBrotliDecompress(STEP),
};

/**
 * Decompresses request bodies. Their parsers count decompressed bytes against the limits, which stops zip bombs; forms
 * with files are streamed and must be sent uncompressed.
 */
export function acceptEncodedBodies(server: FastifyInstance): void {
  server.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
    if (encoding === '' || encoding === 'identity') return done(null, payload);
    const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
    if (!decoder || isForm) {
      void reply.header('accept-encoding', isForm ? 'identity' : 'gzip, deflate, br');
      const message = isForm
        ? 'a form must be sent without content-encoding'
        : `the body must be sent plain, or encoded as gzip, deflate or br; got ${encoding.slice(0, 40)}`;
      return done(new AppError('unsupported-media-type', message, 'content-encoding'));
    }
    done(null, decode(payload, decoder, reply.raw));
  });
}

/** Fastify compares the bytes received with content-length by this property of the stream. */
type Counted = Transform & { receivedEncodedLength: number };

function decode(payload: Readable, decoder: Transform, answer: Writable): Readable {
  const counted = Object.assign(decoder, { receivedEncodedLength: 0 }) satisfies Counted;
  payload.on('data', (chunk: Buffer) => (counted.receivedEncodedLength += chunk.length));
  payload.on('error', (error) => counted.destroy(error));
  // A reader that stops at a limit no longer listens: an error after that would end the process.
  counted.on('error', () => payload.resume());
  answer.once('close', () => counted.destroy());
  return payload.pipe(counted);
}
