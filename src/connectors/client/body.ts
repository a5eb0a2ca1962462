import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

import { AppError } from '../../errors.js';
import { AnswerTooLong, noAnswer, type Target } from './platform-errors.js';

interface BodyReading {
  readonly body: Readable;
  readonly status: number;
  readonly contentType: string;
  /** Header `content-encoding`. */
  readonly encoding: string | undefined;
  readonly target: Target;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** The `accept-encoding` of every request. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

interface ReadBody {
  readonly text: string;
  readonly size: number;
}

/**
 * Reads the whole body as text. Decoded bytes are counted while reading: the declared length may be wrong, and a few
 * kilobytes can decompress to gigabytes.
 */
export async function readBody(reading: BodyReading): Promise<ReadBody> {
  const tooLong = () =>
    new AnswerTooLong(badBody(reading, `is longer than ${reading.maxBytes} bytes`).message);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(reading, tooLong)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  // Buffer's toString would keep a byte order mark, which is not valid JSON.
  return { text: new TextDecoder().decode(bytes), size: bytes.length };
}

/** Streams the decoded body; throws `tooLong` as soon as the limit is exceeded. */
export async function* readChunks(
  reading: BodyReading,
  tooLong: () => AppError,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  try {
    for await (const chunk of decoded(reading)) {
      size += chunk.byteLength;
      if (size > reading.maxBytes) throw tooLong();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const broken = noAnswer(reading.target, error, reading.timeoutMs);
    if (broken.code === 'platform-timeout') throw broken;
    throw badBody(reading, `was cut off after ${size} bytes`, error);
  }
}

async function* decoded(reading: BodyReading): AsyncGenerator<Uint8Array> {
  const encoding = (reading.encoding ?? '').trim().toLowerCase();
  const source = (reading.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first = await source.next();
  // Responses without content, such as those to HEAD, may declare an encoding too.
  if (first.done) return;
  const all = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => source };
  };
  if (encoding === '' || encoding === 'identity') {
    yield* all();
    return;
  }
  const decoder = decoderOf(encoding, first.value[0] ?? 0);
  if (!decoder) {
    reading.body.destroy();
    throw badBody(reading, `is encoded as ${encoding.slice(0, 40)}; supported are ${ACCEPTED_ENCODINGS}`);
  }
  // An error in the source ends the decoder, and with it the loop that reads it; leaving the loop closes the body.
  yield* pipeline(all(), decoder, () => undefined) as AsyncIterable<Uint8Array>;
}

function decoderOf(encoding: string, firstByte: number): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers omit the zlib header that the standard requires (RFC 9110, 8.4.1.2).
      return (firstByte & 15) === 8 ? createInflate() : createInflateRaw();
    default:
      return null;
  }
}

function badBody({ target, status, contentType }: BodyReading, what: string, cause?: unknown): AppError {
  const message = `The response of ${target.title} at ${target.address} ${what} (${status}, ${contentType})`;
  return new AppError('platform-answer', message, [], { cause });
}
