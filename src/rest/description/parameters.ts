import type { Limits } from '../../limits.js';
import { flag, integer, type JsonSchema, svcId, text, word } from './json-schema.js';

/** A parameter of a query string. One whose schema is an object is written `name[key]=value`, once for each key. */
export interface QueryParameter {
  readonly name: string;
  readonly about: string;
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
  /** Written `name[key]=value`: what the schema refers to is an object. */
  readonly isDeep?: boolean;
}

/** Limits are configurable: those of parameters are named, so that the served document can have its own values. */
export const limitParameter = ({ pageSize, maxPageSize }: Limits): QueryParameter => ({
  name: 'limit',
  about: 'Number of records per page.',
  schema: { ...integer, minimum: 1, maximum: maxPageSize, default: pageSize },
});
export const offsetParameter = ({ maxSkip }: Limits): QueryParameter => ({
  name: 'offset',
  about: 'Number of records to skip.',
  schema: { ...integer, minimum: 0, maximum: maxSkip, default: 0 },
});

export const NEXT: QueryParameter = {
  name: 'next',
  about: 'Cursor of the next page: `next` from a response.',
  schema: text,
};
export const PREV: QueryParameter = {
  name: 'prev',
  about: 'Cursor of the previous page: `prev` from a response. Not together with `next`.',
  schema: text,
};
export const COMPANY: QueryParameter = {
  name: 'svc_company_id',
  about: 'Only those of this company.',
  schema: svcId,
};
/** The same as a filter of records is written. */
export const COMPANY_FILTER: QueryParameter = { ...COMPANY, name: 'svc_company_id[eq]' };

export const flagParameter = (name: string, about: string): QueryParameter => ({
  name,
  about,
  schema: { ...flag, default: false },
});
export const wordParameter = (name: string, about: string, words: readonly string[]): QueryParameter => ({
  name,
  about,
  schema: word(...words),
});
/** Values with commas between them. */
export const listParameter = (name: string, about: string, words: readonly string[]): QueryParameter => ({
  name,
  about,
  schema: { type: 'array', items: words.length > 0 ? word(...words) : text },
});
