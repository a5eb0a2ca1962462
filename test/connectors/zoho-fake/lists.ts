import { type Answer } from '../fault-proxy.js';
import { type Kept } from './domain.js';
import { type Module } from './modules.js';
import { type ZohoOrganization } from './organization.js';
import { invalidValue, type Json, success } from './problems.js';

const NUMBER = /^[1-9]\d{0,5}$/;
const MOST = 200;
const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{4}$/;

/** A page of a module's list. */
export function answerList(module: Module, organization: ZohoOrganization, query: URLSearchParams): Answer {
  const [page, perPage] = [query.get('page') ?? '1', query.get('per_page') ?? String(MOST)];
  if (!NUMBER.test(page)) return invalidValue('page');
  if (!NUMBER.test(perPage) || Number(perPage) > MOST) return invalidValue('per_page');
  const column = query.get('sort_column') ?? module.sorts[0] ?? '';
  if (!module.sorts.includes(column)) return invalidValue('sort_column');
  const order = query.get('sort_order') ?? 'A';
  if (order !== 'A' && order !== 'D') return invalidValue('sort_order');
  const since = query.get('last_modified_time');
  if (since !== null && !STAMP.test(since)) return invalidValue('last_modified_time');
  const searched = [...(module.searches ?? []), 'reference_number'].filter((name) => query.has(name));
  const isWhole = module.all === undefined || query.get('filter_by') === module.all;
  const objects = module
    .objects(organization)
    .filter((object) => isWhole || !isOut(object))
    .filter((object) => !module.hasFilter || since === null || object.updatedAt.getTime() >= timeOf(since))
    .map((object) => ({ object, row: module.listed(object) }))
    .filter(({ row }) => searched.every((name) => row[name] === query.get(name)));
  objects.sort((one, other) => {
    const [a, b] = [keyOf(one.row, column), keyOf(other.row, column)];
    const difference = a === b ? compare(one.object.id, other.object.id) : compare(a, b);
    return order === 'A' ? difference : -difference;
  });
  const start = (Number(page) - 1) * Number(perPage);
  return success({
    [module.name]: objects.slice(start, start + Number(perPage)).map(({ row }) => row),
    page_context: {
      page: Number(page),
      per_page: Number(perPage),
      has_more_page: objects.length > start + Number(perPage),
      sort_column: column,
      sort_order: order,
    },
  });
}

const isOut = (object: Kept): boolean => 'isActive' in object && object.isActive === false;

const timeOf = (stamp: string): number => Date.parse(stamp.replace(/(\d{2})$/, ':$1'));

/** What is sorted by is mostly text. */
const keyOf = (row: Json, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
