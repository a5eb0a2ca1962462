import { expect, test } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { acceptEncodedBodies } from '../../src/http/bodies/encoded-body.js';

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])(
  'a body in %s takes no more turns than a plain one, which it would wait for in a busy process',
  async (encoding, compress) => {
    const size = 8 * 1024 * 1024;
    const server = fastify();
    acceptEncodedBodies(server);
    let steps = 0;
    let bytes = 0;
    server.addContentTypeParser('application/json', (_request, payload, done) => {
      payload.on('data', (part: Buffer) => {
        steps += 1;
        bytes += part.length;
      });
      payload.on('end', () => done(null));
    });
    server.post('/', () => 'read');
    await server.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      payload: compress(Buffer.alloc(size, ' ')),
    });
    await server.close();
    expect(bytes).toBe(size);
    expect(steps).toBeLessThanOrEqual(size / (64 * 1024) + 1);
  },
);
