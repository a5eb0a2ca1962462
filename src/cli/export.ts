import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, Option } from 'commander';
import { AppError } from '../errors.js';
import { type RecordDefinition, records, recordTypeOf } from '../records/index.js';
import { linesOf } from '../rest/exports/lines.js';
import { items, svcIdArgument } from './arguments.js';
import { createProgram, runProgram, tell } from './command.js';
import { refusalOf } from './refusal.js';
import { serviceOf } from './service.js';
import { readSettings } from './settings.js';

interface Options {
  readonly out: string;
  readonly service?: string;
  readonly key?: string;
  readonly company?: number;
  readonly dataModels?: readonly string[];
  readonly format: 'jsonl' | 'csv';
  readonly includeDeleted?: boolean;
  readonly rawData?: boolean;
  readonly spreadsheetGuard: boolean;
  readonly byteOrderMark?: boolean;
}

/** A file of the export and its query. */
interface Part {
  readonly file: string;
  readonly dataModel: string;
  readonly lines: string | null;
}

/** Contents of `export.json`: the request, the position to follow changes from, and the completed files. */
interface Progress {
  readonly query: string;
  position: string | null;
  readonly files: string[];
  isComplete: boolean;
}

const PROGRESS = 'export.json';
const MAX_TRIES = 5;
const AGAIN_MS = 1000;
/** Bytes read at a time to find a file's last line. */
const BLOCK_BYTES = 65_536;
const NEWLINE = 10;

const program = createProgram(
  'export',
  `Exports the records that a key may read from a running service to a folder, one file per record type.

  npm run export -- --out books
  npm run export -- --out books --format csv --data-models INVOICES,CONTACTS --company 12

The folder's ${PROGRESS} has the position of the change log to follow changes from. What breaks off is continued by the
same command: JSONL after its last whole line, CSV with the file that was under way.`,
)
  .requiredOption('--out <folder>', 'folder for the files; created if missing')
  .option('--service <url>', 'URL of the service; by default that of npm start on this machine')
  .addOption(
    new Option('--key <key>', 'API key of the service; by default the demo key').env('EXPORT_API_KEY'),
  )
  .option('--company <svc_id>', 'only records of this company', svcIdArgument)
  .option('--data-models <list>', 'record types such as INVOICES,CONTACTS (default: all)', dataModelsArgument)
  .addOption(
    new Option('--format <format>', 'format of the files').choices(['jsonl', 'csv']).default('jsonl'),
  )
  .option('--include-deleted', 'include records that were deleted on their platform')
  .option('--raw-data', 'include the raw data of the platform')
  .option('--no-spreadsheet-guard', 'CSV: do not escape texts that a spreadsheet would run as a formula')
  .option('--byte-order-mark', 'CSV: begin files with a byte order mark, by which Excel recognises UTF-8')
  .action(exportRecords);

void runProgram(program);

function dataModelsArgument(text: string): string[] {
  const names = items(text).map((item) => item.toUpperCase());
  const unknown = names.find((name) => recordTypeOf(name) === null);
  if (unknown === undefined && names.length > 0) return [...new Set(names)];
  throw new InvalidArgumentError(
    `it must name record types such as INVOICES,CONTACTS; got "${unknown ?? text}"`,
  );
}

async function exportRecords(options: Options): Promise<void> {
  const { url: service, apiKey: key } = serviceOf(options, readSettings());
  const query = new URLSearchParams({
    format: options.format,
    ...(options.company === undefined ? {} : { 'svc_company_id[eq]': String(options.company) }),
    ...(options.includeDeleted ? { include_deleted_records: 'true' } : {}),
    ...(options.rawData ? { select: 'raw_data' } : {}),
    ...(options.format === 'csv' ? { spreadsheet_guard: String(options.spreadsheetGuard) } : {}),
    ...(options.byteOrderMark ? { byte_order_mark: 'true' } : {}),
  });
  mkdirSync(options.out, { recursive: true });
  const parts = partsOf(options);
  const progress = beginOrContinue(
    options.out,
    `${query.toString()} ${parts.map(({ file }) => file).join(' ')}`,
  );
  for (const part of parts) {
    if (progress.files.includes(part.file)) continue;
    await fetchPart(part, { folder: options.out, url: `${service}/v3/core/export`, key, query, progress });
    progress.files.push(part.file);
    note(options.out, progress);
    tell(part.file);
  }
  progress.isComplete = true;
  note(options.out, progress);
  tell(`Follow changes from position ${progress.position}: GET /v3/core/changes?next=${progress.position}`);
}

function partsOf({ format, dataModels }: Options): Part[] {
  const isWanted = ({ dataModel }: RecordDefinition) => dataModels?.includes(dataModel) ?? true;
  return records.filter(isWanted).flatMap((definition): Part[] => {
    const { dataModel } = definition;
    const name = dataModel.toLowerCase();
    if (format === 'jsonl') return [{ file: `${name}.jsonl`, dataModel, lines: null }];
    return [
      { file: `${name}.csv`, dataModel, lines: null },
      ...linesOf(definition).map(({ wire }) => ({ file: `${name}.${wire}.csv`, dataModel, lines: wire })),
    ];
  });
}

function beginOrContinue(folder: string, query: string): Progress {
  const path = join(folder, PROGRESS);
  if (!existsSync(path)) return { query, position: null, files: [], isComplete: false };
  const progress = JSON.parse(readFileSync(path, 'utf8')) as Progress;
  if (progress.isComplete)
    throw new AppError('conflict', `${folder} holds a whole export: name another folder`);
  if (progress.query !== query) {
    throw new AppError('conflict', `${folder} holds a part of another export: name another folder`);
  }
  tell(`Continuing what is in ${folder}`);
  return progress;
}

/** Writes to a temporary file and renames it: a crash leaves either version complete. */
function note(folder: string, progress: Progress): void {
  const path = join(folder, PROGRESS);
  const part = `${path}.part`;
  try {
    writeFileSync(part, `${JSON.stringify(progress, null, 2)}\n`, { flush: true });
    renameSync(part, path);
  } catch (error) {
    refuseFile(part)(error);
  }
}

interface Fetching {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly progress: Progress;
}

/** Resumes a file when its stream breaks off, as long as each attempt adds rows. */
async function fetchPart(part: Part, fetching: Fetching): Promise<void> {
  const { folder, url, key, progress } = fetching;
  const path = join(folder, part.file);
  for (let tries = 1, reached = ''; ; tries += 1) {
    const last = part.file.endsWith('.jsonl') ? await lastRecord(path).catch(refuseFile(path)) : null;
    if (last !== null && last !== reached) {
      reached = last;
      tries = 1;
    }
    const query = new URLSearchParams(fetching.query);
    query.set('data_models', part.dataModel);
    if (part.lines !== null) query.set('lines', part.lines);
    if (last !== null && progress.position !== null) {
      query.set('after', last);
      query.set('position', progress.position);
    }
    try {
      const answer = await fetch(`${url}?${query.toString()}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (!answer.ok) throw await refusal(answer);
      // The first file's position is the earliest.
      progress.position ??= answer.headers.get('x-svc-change-position');
      note(folder, progress);
      // `mode`: it contains customers' books. `flush`: after a power cut, a file noted as whole could be truncated.
      const file = createWriteStream(path, {
        flags: query.has('after') ? 'a' : 'w',
        mode: 0o600,
        flush: true,
      });
      await pipeline(answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([]), file);
      return;
    } catch (error) {
      if (isOfFile(error)) refuseFile(path)(error);
      if (error instanceof AppError || tries >= MAX_TRIES) throw unreachable(error, url);
      await sleep(AGAIN_MS * tries);
    }
  }
}

/** Whether the export's file failed; fetch reports its own errors as the cause of another. */
function isOfFile(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Handles a file that cannot be written, or read to continue it. */
function refuseFile(path: string): (error: unknown) => never {
  return (error) => {
    if (!isOfFile(error)) throw error;
    const message = `${path} cannot be written: ${(error as Error).message}`;
    throw new AppError('service-unavailable', message, [], { cause: error });
  };
}

async function refusal(answer: Response): Promise<Error> {
  const { message } = await refusalOf(answer);
  // Transient errors are retried.
  return answer.status === 429 || answer.status >= 500
    ? new Error(message)
    : new AppError('operation-denied', message);
}

function unreachable(error: unknown, url: string): unknown {
  if (error instanceof AppError) return error;
  return new AppError('service-unavailable', `${url} cannot be read: ${(error as Error).message}`, [], {
    cause: error,
  });
}

/** `INVOICES:1042` of the last complete line, after which the file is truncated; null if there is none. */
async function lastRecord(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const file = await open(path, 'r');
  let end = 0;
  let text = Buffer.alloc(0);
  try {
    let start = (await file.stat()).size;
    for (;;) {
      const last = text.lastIndexOf(NEWLINE);
      const before = last > 0 ? text.lastIndexOf(NEWLINE, last - 1) : -1;
      if (last >= 0 && (before >= 0 || start === 0)) {
        end = start + last + 1;
        text = text.subarray(before + 1, last);
        break;
      }
      if (start === 0) break;
      const block = Buffer.alloc(Math.min(BLOCK_BYTES, start));
      start -= block.length;
      await file.read(block, 0, block.length, start);
      text = Buffer.concat([block, text]);
    }
  } finally {
    await file.close();
  }
  await truncate(path, end);
  if (end === 0) return null;
  const { data_model: dataModel, data } = JSON.parse(text.toString()) as {
    data_model: string;
    data: { svc_id: number };
  };
  return `${dataModel}:${data.svc_id}`;
}
