import { once } from 'node:events';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isMimeType } from '../../connectors/inputs/files.js';
import { AppError, invalid } from '../../errors.js';
import type { FileStore, ReceivedFile } from '../../files/file-store.js';
import type { Limits } from '../../limits.js';
import { waitsForContinue } from './expectation.js';
import { checkJson } from './json-body.js';
import { noRoom } from './receive-body.js';

/** A form as the equivalent JSON body, and its file. */
interface ReceivedForm {
  readonly body: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
}

/** Fields of the whole request; the others belong to the item. */
const OF_REQUEST: ReadonlySet<string> = new Set([
  'company_id',
  'connection_id',
  'integration_type',
  'run_async',
  'dry_run',
  'strict',
]);
const MAX_FIELDS = 30;
const NAME_BYTES = 100;
/** Maximum size of a form beyond its file. */
const ALLOWANCE = 100_000;

/** Maximum bytes of a file buffered between its sender and the store. */
const IN_FLIGHT = 256 * 1024;

/** Lets the routes of a server accept forms, to be read by `receiveForm`. */
export async function acceptForms(server: FastifyInstance): Promise<void> {
  await server.register(multipart);
}

/**
 * Reads a form with at most one file, `file`, which is streamed to the store and never whole in memory. Its texts are,
 * and count against the memory limit. The caller discards the file at the end; nothing is left if this throws.
 */
export async function receiveForm(
  request: FastifyRequest,
  store: FileStore,
  limits: Pick<Limits, 'fileBytes' | 'largeBodyBytes' | 'jsonDepth' | 'bodyValues' | 'numberDigits'>,
): Promise<ReceivedForm> {
  const { fileBytes, largeBodyBytes } = limits;
  const max = Math.max(fileBytes, largeBodyBytes) + ALLOWANCE;
  if (Number(request.headers['content-length'] ?? 0) > max) {
    if (!waitsForContinue(request.raw)) request.raw.resume();
    throw tooLarge(fileBytes);
  }
  const fields = new Map<string, unknown>();
  let file: ReceivedFile | null = null;
  const room = holdTexts(request);
  try {
    let textBytes = 0;
    const parts = request.parts({
      limits: {
        fileSize: fileBytes,
        files: 1,
        fields: MAX_FIELDS,
        parts: MAX_FIELDS + 1,
        fieldSize: largeBodyBytes,
        fieldNameSize: NAME_BYTES,
      },
    });
    for await (const part of room.asLongAsThereIs(parts)) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') {
          throw invalid(part.fieldname, 'is not a file of this form: send one file, as file');
        }
        file = await store.receive(contentOf(part, fileBytes, room.passed));
        if (file.size === 0) throw invalid('file', 'must not be empty');
        addDefault(fields, 'file_name', part.filename);
        addDefault(fields, 'file_type', isMimeType(part.mimetype) ? part.mimetype : undefined);
        continue;
      }
      const { fieldname: name, value } = part;
      const text = typeof value === 'string' ? value : jsonOf(value, limits);
      textBytes += text.length;
      if (part.valueTruncated || textBytes > largeBodyBytes) throw textTooLarge(name, largeBodyBytes);
      if (name === 'file') throw invalid('file', 'must be a file: its part names a filename');
      if (fields.has(name) && !DEFAULTS.has(name)) throw invalid(name, 'must be in the form exactly once');
      // A form has no null: an empty text represents it.
      if (value !== '' || name === 'base64_file') fields.set(name, value);
    }
    return { body: bodyOf(fields), file };
  } catch (error) {
    await file?.discard();
    throw toFormError(error);
  } finally {
    room.end();
    // Lets a client finish sending, so that it reads the response.
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** Fields that override the file part's own headers. */
const DEFAULTS: ReadonlySet<string> = new Set(['file_name', 'file_type']);

function addDefault(fields: Map<string, unknown>, name: string, value: string | undefined): void {
  if (value !== undefined && value !== '' && !fields.has(name)) fields.set(name, value);
}

function bodyOf(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const some = (isOfRequest: boolean) =>
    Object.fromEntries([...fields].filter(([name]) => OF_REQUEST.has(name) === isOfRequest));
  return { ...some(true), data: [some(false)] };
}

interface Room {
  /** Parts of a form, until memory runs out. */
  readonly asLongAsThereIs: <Part>(parts: AsyncIterator<Part>) => AsyncGenerator<Part, void, undefined>;
  /** Called with bytes of the file passed to the store. */
  readonly passed: (bytes: number) => void;
  readonly end: () => void;
}

/** Counts a form's bytes in memory: a text is passed on only when complete. */
function holdTexts({ raw, held }: FastifyRequest): Room {
  const full = new AbortController();
  const refused = once(full.signal, 'abort').then(() => {
    throw noRoom();
  });
  // For when nobody awaits a part.
  refused.catch(() => undefined);
  let counted = 0;
  let inMemory = -IN_FLIGHT;
  const receive = ({ length }: Buffer): void => {
    inMemory += length;
    if (inMemory <= counted) return;
    if (held?.add(inMemory - counted)) counted = inMemory;
    else full.abort();
  };
  raw.on('data', receive);
  return {
    asLongAsThereIs: async function* (parts) {
      for (;;) {
        const next = await Promise.race([parts.next(), refused]);
        if (next.done) return;
        yield next.value;
      }
    },
    passed: (bytes) => {
      if (full.signal.aborted) throw noRoom();
      inMemory -= bytes;
    },
    end: () => void raw.off('data', receive),
  };
}

async function* contentOf(
  { file }: MultipartFile,
  max: number,
  passed: Room['passed'],
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of file) {
      passed((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw file.truncated ? tooLarge(max) : toFormError(error);
  }
  if (file.truncated) throw tooLarge(max);
}

/** A JSON part arrives parsed. */
function jsonOf(value: unknown, limits: Parameters<typeof checkJson>[1]): string {
  try {
    const text = JSON.stringify(value);
    checkJson(text, limits);
    return text;
  } catch (error) {
    // Far too deeply nested, then.
    if (error instanceof RangeError)
      throw invalid('body', `is nested deeper than ${limits.jsonDepth} levels`);
    throw error;
  }
}

const tooLarge = (max: number): AppError =>
  new AppError('file-too-large', `is larger than ${max} bytes`, 'file');

const textTooLarge = (name: string, max: number): AppError =>
  new AppError(
    'file-too-large',
    `is more than the ${max} bytes allowed for texts of a form: send the file itself, as file`,
    name,
  );

/** Form errors are the client's. */
function toFormError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code = '', message } = error as { readonly code?: string; readonly message: string };
  if (code.endsWith('_LIMIT')) {
    return invalid('body', `takes one file and at most ${MAX_FIELDS} fields`);
  }
  return invalid('body', `is not a complete form (multipart/form-data): ${message}`);
}
