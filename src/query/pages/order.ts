import { invalid } from '../../errors.js';
import type { RecordDefinition } from '../../records/define.js';
import type { LongText, Position } from './position.js';
import { comparable, isSortable } from '../filters/kinds.js';
import type { PageRequest } from './page.js';

export type Direction = 'ASC' | 'DESC';

/** One step of an order, checked. `nullable` steps put nulls last in both directions. */
export interface OrderStep {
  readonly name: string;
  readonly column: string;
  readonly sqlType: 'text' | 'numeric' | 'timestamptz' | 'date' | 'bigint' | 'boolean';
  readonly direction: Direction;
  readonly nullable: boolean;
}

/** An order always ends with svc_id: it is total, so a cursor names one place in it. */
export interface Order {
  readonly steps: readonly OrderStep[];
  /** Identifies the order inside a cursor. */
  readonly key: string;
}

export interface OrderInput {
  readonly field: string;
  readonly direction: Direction;
}

/** Columns that are never null. */
const NEVER_NULL = new Set(['svcId', 'svcCompanyId', 'svcCreatedAt', 'svcUpdatedAt', 'platformId']);

const SORT_TYPE = {
  text: 'text',
  decimalNumber: 'numeric',
  decimalText: 'numeric',
  timestamp: 'timestamptz',
  date: 'date',
  svcId: 'bigint',
  boolean: 'boolean',
} as const;

const defaultOrders = new WeakMap<RecordDefinition, Order>();

/** The order of a list; svc_id ascending by default. */
export function createOrder(
  definition: RecordDefinition,
  input: readonly OrderInput[] | null | undefined,
  maxFields: number,
): Order {
  if (!input || input.length === 0) {
    let order = defaultOrders.get(definition);
    if (!order) defaultOrders.set(definition, (order = orderOf([step(definition, 'svcId', 'ASC')])));
    return order;
  }
  if (input.length > maxFields) {
    throw invalid('orderBy', `accepts at most ${maxFields} fields, got ${input.length}`);
  }
  const steps: OrderStep[] = [];
  for (const [index, { field, direction }] of input.entries()) {
    if (steps.some((earlier) => earlier.name === field)) {
      throw invalid(['orderBy', index, 'field'], 'is already in the order: name each field once');
    }
    steps.push(step(definition, field, direction));
  }
  const last = steps[steps.length - 1];
  if (last && !steps.some(({ name }) => name === 'svcId')) {
    steps.push(step(definition, 'svcId', last.direction));
  }
  return orderOf(steps);
}

function step(definition: RecordDefinition, name: string, direction: Direction): OrderStep {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (!field || !isSortable(field.kind)) {
    throw invalid('orderBy', 'names a field that cannot be sorted by');
  }
  return {
    name,
    column: field.wire,
    sqlType: SORT_TYPE[field.kind as keyof typeof SORT_TYPE],
    direction,
    nullable: !NEVER_NULL.has(name),
  };
}

/** An order of steps that are known to be total. */
export function orderOf(steps: readonly OrderStep[]): Order {
  return { steps, key: steps.map(({ name, direction }) => `${name} ${direction}`).join(',') };
}

/** `ORDER BY` of an order of rows `t`, or of its reverse (for pages read backwards). */
export function orderSql(order: Order, reversed: boolean): string {
  return order.steps
    .map(({ column, sqlType, direction, nullable }) => {
      const ascending = (direction === 'ASC') !== reversed;
      // PostgreSQL's own default is nulls last ascending and first descending; saying it for a column without
      // nulls would keep the index from being used.
      const nulls = nullable ? ` NULLS ${reversed ? 'FIRST' : 'LAST'}` : '';
      return `${comparable(`t.${column}`, sqlType === 'text' ? 'text' : 'svcId')} ${ascending ? 'ASC' : 'DESC'}${nulls}`;
    })
    .join(', ');
}

/** How values of positions become SQL. */
interface PositionSql {
  readonly bind: (value: unknown) => string;
  readonly longText: (column: string, text: LongText, ascending: boolean) => string;
}

/** The conditions that keep rows `t` between the cursors of a page, each with its `AND`; nothing on a first page. */
export function betweenSql(order: Order, { from, until, reversed }: PageRequest, sql: PositionSql): string {
  const beyond = (position: Position | null, backwards: boolean) =>
    position?.length ? ` AND ${keysetSql(order, { position, reversed: backwards }, sql)}` : '';
  return beyond(from, reversed) + beyond(until, !reversed);
}

/**
 * The rows after a position in the order, or before it when `reversed`. One row comparison where no step can be
 * null and all go the same way, so that an index serves it; the general form otherwise.
 */
function keysetSql(
  order: Order,
  { position, reversed }: { readonly position: Position; readonly reversed: boolean },
  { bind, longText }: PositionSql,
): string {
  const { steps } = order;
  const columns = steps.map(({ column, sqlType }) =>
    comparable(`t.${column}`, sqlType === 'text' ? 'text' : 'svcId'),
  );
  const ascending = steps.map(({ direction }) => (direction === 'ASC') !== reversed);
  const values = steps.map(({ column, sqlType }, index) => {
    const value = position[index];
    if (value === null) return null;
    return typeof value === 'object'
      ? longText(column, value, ascending[index] ?? true)
      : `${bind(value)}::${sqlType}`;
  });
  if (steps.every(({ nullable }) => !nullable) && new Set(ascending).size === 1) {
    return `(${columns.join(', ')}) ${ascending[0] ? '>' : '<'} (${values.join(', ')})`;
  }
  return steps.reduceRight((rest, { nullable }, index) => {
    const column = columns[index] ?? '';
    const value = values[index];
    if (value == null) {
      const beyond = reversed ? `${column} IS NOT NULL` : 'FALSE';
      return `(${beyond} OR (${column} IS NULL AND ${rest}))`;
    }
    const operator = ascending[index] ? '>' : '<';
    const nullsBeyond = nullable && !reversed ? ` OR ${column} IS NULL` : '';
    return `(${column} ${operator} ${value}${nullsBeyond} OR (${column} = ${value} AND ${rest}))`;
  }, 'FALSE');
}
