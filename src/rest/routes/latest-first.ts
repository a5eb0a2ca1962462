import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseSvcId } from '../../base/values.js';
import {
  COMPANY,
  COMPANY_FILTER,
  limitParameter,
  NEXT,
  PREV,
  type QueryParameter,
} from '../description/parameters.js';
import type { RestAnswer } from '../route.js';
import { type Query, readPage, readQuery } from '../request/query.js';

/** Parameters of a list of past events. */
export const latestFirstParameters = (limits: Limits): QueryParameter[] => [
  limitParameter(limits),
  NEXT,
  PREV,
  COMPANY,
  { ...COMPANY_FILTER, about: 'Same as `svc_company_id`.' },
];

/** Their names. */
export const LATEST_FIRST = ['limit', 'next', 'prev', 'svc_company_id', 'svc_company_id[eq]'];

/** Parameters of a list of past events: a company, and a page by one of two cursors. */
export function readLatestFirst(query: Query, limits: Limits) {
  const fields = readQuery(query);
  const page = readPage(fields, limits);
  const companyId =
    fields.optional('svc_company_id', parseSvcId) ?? fields.optional('svc_company_id[eq]', parseSvcId);
  return { companyId, ...page };
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string | null;
  readonly endCursor?: string | null;
}

/** Its page: envelope B without a count. */
export function latestFirstPage(
  data: readonly unknown[],
  { hasNextPage, hasPreviousPage, startCursor, endCursor }: PageInfo,
): Pick<RestAnswer, 'body' | 'cursors'> {
  const next = hasNextPage ? (endCursor ?? null) : null;
  const prev = hasPreviousPage ? (startCursor ?? null) : null;
  return { body: stringifyJson({ data, next, prev }), cursors: { next, prev } };
}
