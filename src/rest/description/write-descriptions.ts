import { connectors } from '../../connectors/index.js';
import { formOf } from '../../connectors/push.js';
import { jsonSchemaOf } from '../../connectors/inputs/schema.js';
import { WRITE_ERROR_CODES } from '../../errors.js';
import type { RecordDefinition } from '../../records/define.js';
import { document } from '../../records/index.js';
import type { Describer, RouteDescription } from './describe.js';
import { inEnvelopeA } from './envelopes.js';
import {
  about,
  type Fields,
  flag,
  type JsonSchema,
  arrayOf,
  nullable,
  object,
  svcId,
  text,
  word,
} from './json-schema.js';
import { flagParameter } from './parameters.js';
import { groupOf, pluralOf } from './record-descriptions.js';
import { recordSchema } from './record-schemas.js';

/** What may be set in the body, in a form and as a parameter. */
const FLAGS = {
  run_async: 'Whether to respond without waiting for the platform.',
  dry_run: 'Whether to only plan the write.',
  strict: 'Whether to refuse items that refer to unknown records; by default they only get a warning.',
};
const withFlags = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries(FLAGS).map(([name, words]) => [name, about(words, schema)]);

const PARAMETERS = Object.entries(FLAGS).map(([name, words]) =>
  flagParameter(name, `${words} Same as in the body.`),
);
const WAITING =
  'Waits for the platform; with `run_async`, or if the platform is slow, the result is read later, with the';
export const CONNECTION_HEADER = {
  'X-Svc-Connection-Id': about('Connection that the request went through.', text),
};
const HEADERS = {
  ...CONNECTION_HEADER,
  'Idempotent-Replayed': about(
    '`true` if the response is that of an earlier request with the same key.',
    text,
  ),
  'X-Svc-Item-Warning': about('Warnings about accepted items.', text),
};

/** Several records, without a version. Reference 4.2. */
export function describeBulkWrite(describer: Describer, definition: RecordDefinition): RouteDescription {
  return {
    id: `createMany${definition.model}`,
    group: groupOf(definition),
    summary: `Create several records of ${definition.dataModel}`,
    documentation: `Mutation.create${pluralOf(definition)}`,
    description: `Answers 200 with a result for each item, also if some were refused. ${WAITING} \`upload_job_id\` for \`GET /v3/core/uploads/{upload_job_id}\`.`,
    scope: 'write',
    parameters: PARAMETERS,
    body: writeBody(describer, definition, 'create'),
    answer: inEnvelopeA(uploadSchema(describer, definition)),
    headers: HEADERS,
    isIdempotentByKey: true,
  };
}

/** One record on `/v3`. Reference 4.2, G8. */
export function describeWrite(
  describer: Describer,
  definition: RecordDefinition,
  operation: 'create' | 'update',
): RouteDescription {
  const schema = recordSchema(describer, definition);
  const record = nullable(definition.rest.isWrittenAsList ? arrayOf(schema) : schema);
  const planned = itemSchema(describer, definition);
  const isUpload = definition === document && operation === 'create';
  return {
    id: `${operation}${definition.model}`,
    group: groupOf(definition),
    summary: `${operation === 'create' ? 'Create' : 'Update'} one record of ${definition.dataModel}`,
    documentation: `Mutation.${operation}${pluralOf(definition)}`,
    description: `Takes one item, or several with \`run_async\`; an item that the platform refuses is an error of the request. ${WAITING} \`sync_id\` for \`GET /v3/core/syncs/{sync_id}\`.`,
    scope: 'write',
    parameters: PARAMETERS,
    body: writeBody(describer, definition, operation),
    ...(isUpload ? { form: formSchema(definition) } : {}),
    answer: {
      anyOf: [
        object({ data: record }),
        about('Dry run.', object({ data: planned })),
        about('Dry run of several items.', object({ data: uploadSchema(describer, definition) })),
        about('With `run_async`, or if the platform is slow.', object({ sync_id: text })),
      ],
    },
    headers: HEADERS,
    isIdempotentByKey: true,
  };
}

/** Result of a bulk write. Reference 2.4. */
export const uploadSchema = (describer: Describer, definition: RecordDefinition): JsonSchema =>
  object({
    data: arrayOf(itemSchema(describer, definition)),
    status: about(
      'State of the write.',
      word('SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'PENDING', 'PLANNED', 'GIVEN_UP'),
    ),
    upload_job_id: about('Identifies the write; null for a dry run.', nullable(text)),
  });

const itemSchema = (describer: Describer, definition: RecordDefinition): JsonSchema =>
  describer.component(`${definition.model}WriteResult`, () =>
    object(
      {
        status: about('State of the item.', word('success', 'failed', 'pending', 'uncertain', 'planned')),
        job_id: about('Job of the item; null for a dry run.', nullable(text)),
        error: nullable(writeProblem(describer)),
        response: about('The written record.', nullable(recordSchema(describer, definition))),
        warnings: arrayOf(text),
        request: about(
          'Request that would be sent; dry runs only.',
          nullable(object({ method: text, path: text, body: {} })),
        ),
      },
      ['status', 'job_id', 'error', 'response', 'warnings'],
    ),
  );

/** Reference G16. */
export const writeProblem = (describer: Describer): JsonSchema =>
  describer.component('WriteProblem', () =>
    object(
      {
        code: word(...WRITE_ERROR_CODES),
        message: about('Error message.', text),
        field: about('Field at fault; empty if there is none.', text),
        platform_error: about("The platform's own message.", nullable(text)),
        version: about('With `conflict`: current version of the record.', text),
        changed_fields: about(
          'With `conflict`: fields that changed since the expected version; null if unknown.',
          nullable(arrayOf(text)),
        ),
      },
      ['code', 'message', 'field', 'platform_error'],
    ),
  );

function writeBody(
  describer: Describer,
  definition: RecordDefinition,
  operation: 'create' | 'update',
): JsonSchema {
  return object(
    {
      company_id: about('Company of the records.', svcId),
      data: about('Items to write.', arrayOf(itemInput(describer, definition, operation))),
      connection_id: about('Connection to write through, if the company has several.', nullable(svcId)),
      integration_type: about('Platform to write to, if the company has several.', nullable(text)),
      ...Object.fromEntries(withFlags(nullable(flag))),
    },
    ['company_id', 'data'],
  );
}

/** Fields of items on any platform; capabilities say which ones each accepts. Reference G2. */
function itemInput(
  describer: Describer,
  definition: RecordDefinition,
  operation: 'create' | 'update',
): JsonSchema {
  const name = `${definition.model}${operation === 'create' ? 'Create' : 'Update'}`;
  const verb = operation === 'create' ? 'CREATE' : 'UPDATE';
  return describer.component(name, () => {
    const inputs = connectors
      .flatMap(({ push }) => push?.resources ?? [])
      .flatMap((one) => (one.definition === definition ? [formOf(one, verb)?.input ?? []].flat() : []))
      .map((input) => jsonSchemaOf(input)['properties'] as Fields);
    const names = [...new Set(inputs.flatMap((properties) => Object.keys(properties)))];
    const fields = names.map((field): [string, JsonSchema] => [
      field,
      anyOf(inputs.flatMap((one) => (one[field] ? [one[field]] : []))),
    ]);
    const file =
      definition === document ? { base64_file: about('The file, in base64.', nullable(text)) } : {};
    return about(
      `Fields for writing a record, over all platforms. \`GET /v3/core/capabilities\` lists those that each platform accepts.`,
      object({ ...Object.fromEntries(fields), ...file }, []),
    );
  });
}

/** Merges all platforms' enum values: generators make one type of them, in which a value may occur only once. */
function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const merged = new Map<string, JsonSchema>();
  for (const one of schemas) {
    const { enum: words, ...rest } = one as { readonly enum?: readonly unknown[] };
    const key = JSON.stringify([rest, words !== undefined]);
    const before = (merged.get(key)?.['enum'] ?? []) as readonly unknown[];
    merged.set(key, words ? { ...one, enum: [...new Set([...before, ...words])] } : one);
  }
  const different = [...merged.values()];
  const [first = {}] = different;
  return different.length > 1 ? { anyOf: different } : first;
}

/** The same fields as a form, with the file as an unencoded part. Reference G8. */
function formSchema(definition: RecordDefinition): JsonSchema {
  const fields = ['document_type', 'document_type_id', 'file_name', 'file_type', 'file_size', 'updated_at'];
  const digits = { ...text, pattern: '^\\d+$' };
  return about(
    `One ${definition.model.toLowerCase()} with its file.`,
    object(
      {
        file: about('The file.', { ...text, contentMediaType: 'application/octet-stream' }),
        base64_file: about('The file in base64, in place of `file`.', text),
        company_id: about('Company of the records.', digits),
        connection_id: about('Connection to write through, if the company has several.', digits),
        integration_type: about('Platform to write to, if the company has several.', text),
        ...Object.fromEntries(fields.map((field) => [field, text])),
        ...Object.fromEntries(withFlags(word('true', 'false'))),
      },
      ['company_id'],
    ),
  );
}
