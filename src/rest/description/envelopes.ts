import { about, integer, type JsonSchema, arrayOf, nullable, object, text, time } from './json-schema.js';

const CURSOR = (where: string) =>
  nullable(about(`Cursor of the page ${where}; null where there is none.`, text));

/** Envelope A (Reference 2.1). */
export const inEnvelopeA = (data: JsonSchema): JsonSchema =>
  object({
    data,
    request_id: about('Identifies the request.', text),
    request_timestamp: about('Time when the request arrived.', time),
    response_timestamp: about('Time when the response was sent.', time),
  });

/** Envelope B (Reference 2.1). */
export const inEnvelopeB = (record: JsonSchema): JsonSchema =>
  object({
    ...page(record),
    total_count: nullable(about('Number of matching records, with `return_count`; otherwise null.', integer)),
  });

/** Envelope B without a count. */
export const inLatestFirst = (record: JsonSchema): JsonSchema => object(page(record));

const page = (record: JsonSchema) => ({
  data: arrayOf(record),
  next: CURSOR('after'),
  prev: CURSOR('before'),
});

/** A list that is followed in one direction. */
export const inList = (record: JsonSchema, next: JsonSchema = CURSOR('after')): JsonSchema =>
  object({ data: arrayOf(record), next });

/** Envelope C (Reference 2.1). */
export const inEnvelopeC = (data: JsonSchema): JsonSchema => object({ data });
