import type { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError, invalid } from '../../errors.js';
import type { Held } from '../limits/held-bytes.js';
import { waitsForContinue } from './expectation.js';

/** Raw bytes, counted by `encoded-body.ts`. */
type Payload = Readable & { readonly receivedEncodedLength?: number };

/**
 * Maximum bytes read and dropped of a refused body. Fastify closes the connection after the response: a client that is
 * still sending would see a reset, without code and message, and may retry too soon.
 */
const DROPPED_BYTES = 64 * 1024 * 1024;

interface ReceiveOptions {
  /** Maximum bytes. */
  readonly max: number;
  readonly held: Held;
  /** Whether memory is reserved for the declared length; false for strangers, who may declare much and send nothing. */
  readonly reserves?: boolean;
}

/**
 * Receives a body up to the size limit while there is memory for it. If its length is known, memory is reserved at the
 * start or refused: otherwise concurrent bodies could each take a part and all be refused. The rest of a refused body
 * is read and dropped before the refusal, unless its client waits to be asked for it.
 */
export function receiveBody(
  request: FastifyRequest,
  payload: Payload,
  { max, held, reserves = true }: ReceiveOptions,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length']);
  return new Promise((resolve, reject) => {
    const refuse = (error: AppError): void => {
      if (waitsForContinue(request.raw)) reject(error);
      else dropRest(request.raw, () => reject(error));
    };
    if (declared > max) return refuse(tooLarge(request, max));
    // The decompressed size is known only after reading.
    const isReserved = reserves && declared > 0 && payload.receivedEncodedLength === undefined;
    if (isReserved && !held.add(declared)) return refuse(noRoom());
    const chunks: Buffer[] = [];
    let length = 0;
    const receive = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > max || (payload.receivedEncodedLength ?? 0) > max) stop(tooLarge(request, max));
      else if (isReserved || held.add(chunk.length)) chunks.push(chunk);
      else stop(noRoom());
    };
    const end = (): void => {
      if (!Number.isNaN(declared) && (payload.receivedEncodedLength ?? length) !== declared) {
        return stop(invalid('body', 'does not have the length given in content-length'));
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
      refuse(error);
    };
    payload.on('data', receive).on('end', end).on('error', fail);
  });
}

/** Calls back when the sender has finished, has disconnected, or has sent more than we drop. */
function dropRest(raw: IncomingMessage, over: () => void): void {
  let dropped = 0;
  const stopWaiting = finished(raw, () => end());
  const count = (chunk: Buffer): void => {
    dropped += chunk.length;
    if (dropped > DROPPED_BYTES) end();
  };
  const end = (): void => {
    stopWaiting();
    raw.off('data', count);
    over();
  };
  raw.unpipe();
  raw.on('data', count);
}

const tooLarge = ({ routeOptions }: FastifyRequest, max: number): AppError =>
  new AppError(
    'payload-too-large',
    `the body is larger than ${max} bytes${routeOptions.config.tooLarge ?? ''}`,
    'body',
  );

/** The error if there is no memory for a body. */
export const noRoom = (): AppError =>
  new AppError('service-unavailable', 'the service holds too many bytes of requests; try again soon');
