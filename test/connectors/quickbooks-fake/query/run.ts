import { type Entity, entityNamed, type View } from '../entities.js';
import { badQuery, Refusal } from '../problems.js';
import { type Json } from '../wire/values.js';
import { compare, fits, secondsOf, valueAt } from './compare.js';
import { type Condition, type Order, parse, type Select } from './parse.js';

const MOST = 1000;
const TIMES = ['metadata.createtime', 'metadata.lastupdatedtime'];

/** What `QueryResponse` has: without matches it is empty, and does not name the entity. */
export function answerQuery(view: View, query: string): Json {
  const select = parse(query);
  const entity = entityNamed(select.entity);
  if (!entity) throw new Refusal(badQuery(`Invalid context declaration: ${select.entity}`));
  if (select.most > MOST) {
    throw new Refusal(badQuery(`value ${select.most} is too large. Max allowed value is ${MOST}.`));
  }
  const rows = entity.rows(view);
  for (const condition of select.where) check(entity, rows, condition);
  for (const { property } of select.orderBy) checkOrder(entity, rows, property);
  const found = rows
    .filter((row) => select.where.every((condition) => fits(row, condition)))
    .filter((row) => !entity.isNameList || asksForActive(select) || row['Active'] !== false);
  if (select.isCount) return { totalCount: found.length };
  const page = sorted(found, select.orderBy).slice(select.start - 1, select.start - 1 + select.most);
  if (page.length === 0) return {};
  return {
    [entity.answered]: page.map((row) => projected(row, select)),
    startPosition: select.start,
    maxResults: page.length,
  };
}

const asksForActive = ({ where }: Select): boolean =>
  where.some(({ property }) => property.toLowerCase() === 'active');

const includes = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

function check(entity: Entity, rows: readonly Json[], { property, operator, values }: Condition): void {
  if (property.toLowerCase() === 'id') {
    if (operator === '=' || operator === 'in') return;
    throw new Refusal(badQuery(`Operator ${operator} is not supported for property Id`));
  }
  if (includes(TIMES, property)) {
    values.forEach(secondsOf);
    return;
  }
  if (!includes(entity.filterable, property)) throw new Refusal(unknown(entity, rows, property));
}

function checkOrder(entity: Entity, rows: readonly Json[], property: string): void {
  if (!includes(['id', ...TIMES, ...entity.sortable], property))
    throw new Refusal(unknown(entity, rows, property));
}

function unknown(entity: Entity, rows: readonly Json[], property: string) {
  const isThere = rows.some((row) => valueAt(row, property) !== undefined);
  const what = isThere ? `property '${property}' is not queryable` : null;
  return badQuery(what ?? `Property ${property} not found for Entity ${entity.name}`);
}

/** What was changed last comes first where no order is asked for, and what is equal in the order of ids. */
function sorted(rows: readonly Json[], orderBy: readonly Order[]): readonly Json[] {
  const orders =
    orderBy.length > 0 ? orderBy : [{ property: 'MetaData.LastUpdatedTime', isDescending: true }];
  const keyed = rows.map((row) => ({
    row,
    keys: [...orders.map(({ property }) => valueAt(row, property)), row['Id']],
  }));
  const paths = [...orders, { property: 'Id', isDescending: false }];
  keyed.sort((one, other) => {
    for (const [index, { property, isDescending }] of paths.entries()) {
      const difference = compare(property, one.keys[index], other.keys[index]);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

const ALWAYS = ['domain', 'Id'];

/** Only what was named, and what the object is known by. */
function projected(row: Json, { properties }: Select): Json {
  if (!properties) return row;
  const names = [...ALWAYS, ...properties.map((property) => property.split('.')[0] ?? '')];
  const entries = Object.entries(row).filter(([name]) => includes(names, name));
  return { ...Object.fromEntries(entries), sparse: true };
}
