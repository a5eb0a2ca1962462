import { finished, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError, invalid } from '../errors.js';
import type { HeldBody } from './held-bodies.js';

/** What `encoded-body.ts` counts of the bytes as they came. */
type Payload = Readable & { readonly receivedEncodedLength?: number };

/**
 * Receives a body of at most so many bytes, as long as there is room for it; where there is none, the rest is read and
 * dropped before the refusal.
 */
export function receiveBody(
  request: FastifyRequest,
  payload: Payload,
  { most, held }: { readonly most: number; readonly held: HeldBody },
): Promise<Buffer> {
  const declared = Number(request.headers['content-length']);
  return new Promise((resolve, reject) => {
    if (declared > most) return reject(tooLarge(request, most));
    const chunks: Buffer[] = [];
    let length = 0;
    const receive = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > most || (payload.receivedEncodedLength ?? 0) > most) stop(tooLarge(request, most));
      else if (held.add(chunk.length)) chunks.push(chunk);
      else {
        stop(
          new AppError(
            'service-unavailable',
            'the service holds as many bytes of requests as it may; try again soon',
          ),
        );
      }
    };
    const end = (): void => {
      if (!Number.isNaN(declared) && (payload.receivedEncodedLength ?? length) !== declared) {
        return stop(invalid('body', 'is not as long as content-length says'));
      }
      stopListening();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length));
    };
    const fail = (error: Error): void => stop(invalid('body', `cannot be read: ${error.message}`));
    const stopListening = (): void => {
      payload.off('data', receive).off('end', end).off('error', fail);
    };
    const stop = (error: AppError): void => {
      stopListening();
      const { raw } = request;
      raw.unpipe();
      raw.resume();
      // Fastify closes the connection with this answer: whoever still sends would see it cut, and may retry too soon.
      if (error.code === 'service-unavailable') finished(raw, () => reject(error));
      else reject(error);
    };
    payload.on('data', receive).on('end', end).on('error', fail);
  });
}

const tooLarge = ({ routeOptions }: FastifyRequest, most: number): AppError =>
  new AppError(
    'payload-too-large',
    `the body is larger than ${most} bytes${routeOptions.config.tooLarge ?? ''}`,
    'body',
  );
