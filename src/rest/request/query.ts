import { AppError, invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { parseText } from '../../values.js';
import { parsePageSize, type Query } from './parameters.js';

/** What other lists filter by: ignored here, it would give everything. */
const FILTER =
  /[[\]]|^((svc_)?company_id|status|category|categories|integrations?|integration_type|data_model|type|job_type)$/;

/** The parameters that a path does not know, for its warning. Throws `invalid-params` for what looks like a filter. */
export function ignoredIn(query: Query, known: readonly string[]): string[] {
  const others = Object.keys(query).filter((name) => !known.includes(name));
  const filter = others.find((name) => FILTER.test(name));
  if (filter === undefined) return others;
  const choices = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none';
  throw invalid(filter, `${filter.slice(0, 60)} is not a parameter of this list: ${choices}`);
}

/** A parameter that is given once; empty and literal null are absent. */
export function one(query: Query, name: string): string | null {
  const value = query[name];
  if (value === undefined || value === '' || value === 'null') return null;
  if (typeof value !== 'string') throw invalid(name, `${name} must be given once`);
  return parseText(value, name);
}

/** A parameter as `parse` reads it; null where it is absent. */
export function parsed<Value>(
  query: Query,
  name: string,
  parse: (text: string, name: string) => Value,
): Value | null {
  const text = one(query, name);
  return text === null ? null : parse(text, name);
}

/** The parts of a parameter that is a list with commas. */
export function several(query: Query, name: string): string[] | null {
  return parsed(query, name, (text) => text.split(',').map((part) => part.trim()));
}

export function limitOf(query: Query, limits: Limits): number {
  return parsePageSize(one(query, 'limit') ?? limits.pageSize, 'limit', 1, limits.maxPageSize);
}

export function offsetOf(query: Query, limits: Limits): number {
  return parsePageSize(one(query, 'offset') ?? 0, 'offset', 0, limits.maxSkip);
}

/** A svc_id in a path; null for what is none, which is then as absent as any other. */
export function pathSvcId(text: string | undefined): number | null {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : null;
}

export function absent(what: string): AppError {
  return new AppError('not-found', `there is no such ${what}`, 'id');
}
