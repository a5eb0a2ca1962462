import { type Readable } from 'node:stream';

import { AppError } from '../errors.js';
import { noAnswer, type Target } from './platform-errors.js';

export interface BodyReading {
  readonly body: Readable;
  readonly status: number;
  readonly contentType: string;
  readonly target: Target;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** The whole body as text. Counts while it reads: what a platform declares need not be what it sends. */
export async function readBody(reading: BodyReading): Promise<string> {
  const { body, maxBytes } = reading;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    const broken = noAnswer(reading.target, error, reading.timeoutMs);
    if (broken.code === 'platform-timeout') throw broken;
    throw badBody(reading, `broke off after ${size} bytes`, error);
  }
  if (size > maxBytes) throw badBody(reading, `is longer than ${maxBytes} bytes`);
  // Not Buffer's toString: that keeps a byte order mark, which is no JSON.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function badBody({ target, status, contentType }: BodyReading, what: string, cause?: unknown): AppError {
  const message = `The answer of ${target.title} at ${target.address} ${what} (${status}, ${contentType})`;
  return new AppError('platform-answer', message, '', { cause });
}
