import type { WriteOperation } from '../../connectors/push.js';
import { AppError, type FieldPath, invalid, WriteRefused } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import type { RecordDefinition } from '../../records/define.js';
import { document } from '../../records/index.js';
import { headerText } from '../../base/header-text.js';
import { parseBoolean, parseSvcId, parseText } from '../../base/values.js';
import { type BodyFields, readBody } from '../request/body.js';
import { refuseMisspelt } from '../request/ignored.js';
import {
  WriteRecordsDocument,
  type WriteRecordsMutation,
  type WriteRecordsMutationVariables,
} from '../__generated__/documents.js';
import type { Describer } from '../description/describe.js';
import { describeBulkWrite, describeWrite } from '../description/write-descriptions.js';
import { prepareMutation, toPath } from '../mutation.js';
import { withRecord } from '../operation.js';
import { lazily } from '../remember.js';
import { type Query, readQuery } from '../request/query.js';
import { envelopeA, envelopeC } from '../envelopes.js';
import type { RestAnswer, RestRequest, RestRoute } from '../route.js';
import {
  type SelectedItem,
  uploadStatus,
  wireError,
  writeItem,
  type WrittenShape,
  writtenShape,
} from '../write-shape.js';

type Payload = WriteRecordsMutation['result'];

/** The writing paths of a record type: bulk writes without a version, one record on `/v3`. Reference 4.2. */
export function writeRoutes(
  { definition, isUpdated }: { readonly definition: RecordDefinition; readonly isUpdated: boolean },
  executor: Executor,
  limits: Limits,
): RestRoute[] {
  const prepare = (isRaw: boolean) => () => {
    const shape = writtenShape(definition, limits, isRaw);
    const mutation = prepareMutation(executor, withRecord(WriteRecordsDocument, shape.record), {
      idempotencyKey: 'Idempotency-Key',
    });
    const run = (request: RestRequest, fields: BodyFields, operation: WriteOperation) => {
      const input = inputOf(request, fields, { dataModel: definition.dataModel, operation });
      return mutation.run(input, request.context).catch(denyExpired);
    };
    return { shape, run };
  };
  const bulk = lazily(prepare(true));
  const single = lazily(prepare(false));

  const one =
    (operation: WriteOperation) =>
    async (request: RestRequest): Promise<RestAnswer> => {
      const fields = readBody(request.body, ['company_id', 'data']);
      const items = fields.required('data', listOfItems);
      if (items.length > 1 && !isAsync(request.query, fields)) {
        throw invalid('data', 'takes one item, or several with run_async: true');
      }
      const { run, shape } = single();
      const payload = await run(request, fields, operation);
      return { ...oneAnswer(payload, shape, request), ignored: ignoredOf(payload, request, fields) };
    };

  return [
    {
      method: 'POST',
      path: `/${definition.unversionedPath}`,
      describe: (to) => describeBulkWrite(to, definition),
      query: PARAMETERS,
      isLarge: true,
      answer: async (request) => {
        const fields = readBody(request.body, ['company_id', 'data']);
        const { run, shape } = bulk();
        const payload = await run(request, fields, 'CREATE');
        const data = writeResults(payload, shape);
        const ignored = ignoredOf(payload, request, fields);
        return { body: envelopeA(data, request), headers: headersOf(payload), ignored };
      },
    },
    {
      method: 'POST',
      path: `/v3/${definition.path}`,
      describe: (to) => describeWrite(to, definition, 'create'),
      query: PARAMETERS,
      isLarge: true,
      isUpload: definition === document,
      answer: one('CREATE'),
    },
    ...(isUpdated
      ? [
          {
            method: 'PUT',
            path: `/v3/${definition.path}`,
            describe: (to: Describer) => describeWrite(to, definition, 'update'),
            query: PARAMETERS,
            isLarge: true,
            answer: one('UPDATE'),
          } as const,
        ]
      : []),
  ];
}

/** Parameters that may also be in the body. */
const PARAMETERS = ['run_async', 'dry_run', 'strict'];
const ONLY_IN_BODY = ['connection_id', 'integration_type'];

function listOfItems(value: unknown, field: FieldPath): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(field, 'must be a list of items');
}

/** Reference G8: clients send it in the body, pages show it as a parameter. */
const isAsync = (query: Query, fields: BodyFields): boolean =>
  fields.optional('run_async', parseBoolean) ?? readQuery(query).optional('run_async', parseBoolean) ?? false;

function inputOf(
  { query, idempotencyKey }: RestRequest,
  fields: BodyFields,
  { dataModel, operation }: { readonly dataModel: string; readonly operation: WriteOperation },
): WriteRecordsMutationVariables['input'] {
  const stray = ONLY_IN_BODY.find((name) => Object.hasOwn(query, name));
  if (stray !== undefined) throw invalid(stray, 'belongs in the body');
  refuseMisspelt([...Object.keys(query), ...fields.ignored()], [...PARAMETERS, ...ONLY_IN_BODY]);
  const parameters = readQuery(query);
  const dryRun = fields.optional('dry_run', parseBoolean) ?? parameters.optional('dry_run', parseBoolean);
  return {
    dataModel,
    operation,
    companyId: fields.required('company_id', parseSvcId),
    data: fields.required('data', listOfItems),
    connectionId: fields.optional('connection_id', parseSvcId),
    integrationType: fields.optional('integration_type', parseText),
    runAsync: isAsync(query, fields),
    dryRun,
    strict: fields.optional('strict', parseBoolean) ?? parameters.optional('strict', parseBoolean),
    idempotencyKey: dryRun ? null : idempotencyKey,
  };
}

/** A dry run has no use for a key either. */
const ignoredOf = ({ write }: Payload, { idempotencyKey }: RestRequest, fields: BodyFields): string[] => [
  ...fields.ignored(),
  ...(write === null && idempotencyKey !== null ? ['Idempotency-Key'] : []),
];

/** Reference 2.4: the result of every item. */
function writeResults({ write, results }: Payload, shape: WrittenShape): string {
  const items = results.map((item) => writeItem(item, shape.write)).join(',');
  const id = write ? JSON.stringify(write.writeId) : 'null';
  const status = write ? uploadStatus(write.state) : 'PLANNED';
  return `{"data":[${items}],"status":"${status}","upload_job_id":${id}}`;
}

/**
 * Reference G8: the record, or the id to ask by; a record that was not written is an error of the call. For several
 * planned ones, the planned result of each.
 */
function oneAnswer(payload: Payload, shape: WrittenShape, request: RestRequest): RestAnswer {
  const { write, results } = payload;
  const headers = headersOf(payload);
  const [item] = results;
  if (!item) throw new AppError('internal-error', 'a write without items');
  if (write === null) {
    if (results.length > 1) return { body: envelopeC(writeResults(payload, shape)), headers };
    if (item.error) throw refusalOf(item.error);
    return { body: envelopeC(writeItem(item, shape.write)), headers };
  }
  const isOver = uploadStatus(write.state) !== 'PENDING';
  if (!isOver || results.length > 1 || isAsync(request.query, readBody(request.body))) {
    return { body: `{"sync_id":${JSON.stringify(write.writeId)}}`, headers };
  }
  if (item.error) throw refusalOf(item.error);
  return { body: envelopeC(item.record === null ? 'null' : shape.writeOne(item.record)), headers };
}

/** Reference G16 has no code for a connection that cannot be used: the write is denied, as when this is found later. */
function denyExpired(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'connection-expired') throw error;
  throw new AppError('operation-denied', `Operation Denied: ${error.message}`, error.field);
}

function refusalOf(error: NonNullable<SelectedItem['error']>): WriteRefused {
  const { code, message, platform_error: platformError } = wireError(error);
  const { version, changedFields } = error;
  const stale = version === null ? null : { version, changedFields };
  return new WriteRefused(code, message, toPath(error.field), { platformError, stale });
}

const MAX_WARNING = 1000;

function headersOf({ connectionId, replayed, results }: Payload): Record<string, string> {
  const warnings = results.flatMap((item) => item.warnings).join('; ');
  return {
    'x-svc-connection-id': String(connectionId),
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
    ...(warnings === '' ? {} : { 'x-svc-item-warning': headerText(warnings, MAX_WARNING) }),
  };
}
