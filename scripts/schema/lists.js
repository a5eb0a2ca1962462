// Types derived from a listed type: its connection and edge, and for records and companies a filter and an order.
import {
  argumentsFrom,
  article,
  capitals,
  definitionsFrom,
  directiveOf,
  fieldsFrom,
  implementsType,
  isList,
  lower,
  nameOf,
  plural,
  upper,
  words,
} from './ast.js';

const FILTERS = {
  String: 'StringFilter',
  Decimal: 'DecimalFilter',
  DateTime: 'DateTimeFilter',
  Date: 'DateFilter',
  SvcId: 'SvcIdFilter',
  Boolean: 'BooleanFilter',
};
/** Fields that lists neither filter nor sort by. */
const UNCOMPARED = new Set(['rawData', 'version']);
const SORTED = new Set(['String', 'Decimal', 'DateTime', 'Date', 'SvcId', 'Boolean']);

export const isRecord = (type) => implementsType(type, 'Record');
const isFilterable = (type) => isRecord(type) || directiveOf(type, 'filterable') !== null;

/** The connection and edge of a type. */
export function connectionTypes(type) {
  const name = type.name.value;
  const noun = words(name);
  const nouns = words(plural(name));
  const freshness = isRecord(type)
    ? `"Time of the last read from the platform, in lists of one company; the oldest one of its connections."
  lastSyncedAt: DateTime
  "Position in the change log that the page is complete up to: \`changes(after:)\` continues from it without gaps. Null in lists that a record references by platform ids."
  changePosition: String`
    : '';
  return definitionsFrom(`"A page of ${nouns}."
type ${name}Connection {
  "The ${nouns} of the page with their cursors."
  edges: [${name}Edge!]!
  "The ${nouns} of the page."
  nodes: [${name}!]!
  "Position of the page in its list."
  pageInfo: PageInfo!
  "Number of ${nouns} in the whole list. Counted only when selected."
  totalCount: Int!
  ${freshness}
}
"${upper(article(noun))} ${noun} in a list."
type ${name}Edge {
  "The ${noun}."
  node: ${name}!
  "Position of the ${noun} in this list and order."
  cursor: String!
}`);
}

/** The filter and order of a type's lists; `enums` are the names of all enums. */
export function selectionTypes(type, enums) {
  if (!isFilterable(type)) return [];
  const name = type.name.value;
  const nouns = words(plural(name));
  const filters = type.fields.flatMap((field) => {
    if (field.arguments.length > 0 || directiveOf(field, 'list') || UNCOMPARED.has(field.name.value))
      return [];
    const leaf = nameOf(field.type);
    const filter = isList(field.type)
      ? leaf === 'String' && 'StringListFilter'
      : directiveOf(field, 'filteredAsText')
        ? 'StringFilter'
        : (FILTERS[leaf] ?? (enums.has(leaf) && `${leaf}Filter`));
    return filter ? [{ name: field.name.value, filter }] : [];
  });
  const orders = type.fields.filter(
    (field) =>
      !isList(field.type) &&
      !UNCOMPARED.has(field.name.value) &&
      (SORTED.has(nameOf(field.type)) || enums.has(nameOf(field.type))),
  );
  return definitionsFrom(`"Conditions on ${nouns}. All of them must hold."
input ${name}Filter {
  "All of these must hold."
  and: [${name}Filter!]
  "At least one of these must hold."
  or: [${name}Filter!]
  "This must not hold."
  not: ${name}Filter
${isRecord(type) ? '  "Conditions on mapped fields, name to operators: `{ region: { eq: \\"North\\" } }`."\n  fields: JSON\n  "Conditions on custom fields of the platform, name to string operators."\n  customFields: JSON\n' : ''}${filters.map((field) => `  "Conditions on ${field.name}."\n  ${field.name}: ${field.filter}`).join('\n')}
}
"One step of a sort order of ${nouns}."
input ${name}OrderBy {
  "Field to sort by. Records without a value are listed last."
  field: ${name}OrderByField!
  "Direction of the sort."
  direction: OrderDirection! = ASC
}
"Fields that ${nouns} can be sorted by."
enum ${name}OrderByField {
${orders.map((field) => `  "By ${field.name.value}."\n  ${capitals(field.name.value)}`).join('\n')}
}`);
}

/** Filter conditions for an enum. */
export const enumFilter = (name) =>
  definitionsFrom(`"Conditions on ${article(words(name))} ${words(name)}. All of them must hold."
input ${name}Filter {
  "Equal to; null finds records without a value."
  eq: ${name}
  "Not equal to, including records without a value; null finds records with a value."
  ne: ${name}
  "One of these."
  in: [${name}!]
  "None of these, including records without a value."
  notIn: [${name}!]
  "Whether there is no value."
  isNull: Boolean
}`);

const PAGE = `
  "Page size, from the start."
  first: Int
  "Only after this cursor."
  after: String
  "Page size, from the end."
  last: Int
  "Only before this cursor."
  before: String
  "Number to skip; cursors are faster."
  skip: Int`;

/** The arguments of a field with `@list`, starting with its own. */
export function withListArguments(field, types) {
  const type = types.get(nameOf(field.type).replace(/Connection$/, ''));
  if (!type) throw new Error(`${field.name.value}: @list needs the connection of a type`);
  const name = type.name.value;
  const isFiltered = directiveOf(field, 'list').filtered !== false;
  const selection =
    isFiltered && isFilterable(type)
      ? `
  "Only ${words(plural(name))} that fit."
  filter: ${name}Filter
  "Sort order; default SVC_ID ascending."
  orderBy: [${name}OrderBy!]`
      : '';
  const deleted =
    isFiltered && isRecord(type)
      ? `
  "Whether to include deleted records."
  includeDeleted: Boolean = false`
      : '';
  return { ...field, arguments: [...field.arguments, ...argumentsFrom(PAGE + selection + deleted)] };
}

/** Fields of `Query` that read records of a type. */
export function recordQueries(type) {
  const name = type.name.value;
  const many = plural(name);
  return fieldsFrom(`"${upper(words(many))} of the organisation."
  ${lower(many)}(
    "Only records of this company."
    companyId: SvcId
  ): ${name}Connection! @list
  "${upper(words(name))}; null when the organisation has no such record."
  ${lower(name)}(
    "Identifier in this service."
    svcId: SvcId
    "Company of the record; required with platformId."
    companyId: SvcId
    "Identifier on the platform."
    platformId: String
  ): ${name}`);
}

/** The field of `Company` that lists records of a type. */
export function companyList(type) {
  const many = plural(type.name.value);
  return fieldsFrom(`"${upper(words(many))} of the company."
  ${lower(many)}: ${type.name.value}Connection! @list`);
}
