import type { RecordDefinition } from '../../records/define.js';
import type { Limits } from '../../limits.js';
import { upperFirst } from '../../base/names.js';
import type { Field } from '../../records/fields.js';
import { isSortable } from '../../query/filters/kinds.js';
import { mappedField } from '../../query/filters/mapped-filter.js';
import { SELECTABLE } from '../request/parts.js';
import { expandable, narrowable } from '../shape.js';
import { namesOf, operatorNames } from '../request/names.js';
import type { Describer, Group, RouteDescription } from './describe.js';
import { inEnvelopeA, inEnvelopeB, inEnvelopeC } from './envelopes.js';
import {
  about,
  type Fields,
  flag,
  integer,
  type JsonSchema,
  arrayOf,
  dayOrTime,
  nullable,
  object,
  refTo,
  svcId,
  text,
  givenTime,
  word,
} from './json-schema.js';
import { decimalText } from './graphql-schemas.js';
import {
  flagParameter,
  limitParameter,
  listParameter,
  NEXT,
  PREV,
  type QueryParameter,
} from './parameters.js';
import { recordSchema } from './record-schemas.js';

const CATEGORIES = { ACCOUNTING: 'Accounting', PAYMENTS: 'Payments', ECOMMERCE: 'Ecommerce' } as const;

export const groupOf = ({ category }: RecordDefinition): Group => CATEGORIES[category];

/** `invoiceCreditNotes` as words. */
const titleOf = ({ list }: RecordDefinition): string =>
  list.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
export const pluralOf = ({ list }: RecordDefinition): string => upperFirst(list);

const RETURN_POSITION = 'Whether to return the header `x-svc-change-position`, from which to follow changes.';
const INCLUDE_DELETED = 'Whether to include records that were deleted on their platform.';
/** Sentence in the description of every list. */
const SEEN = 'A key limited to some companies sees only theirs. Deleted ones are left out unless asked for.';
const POSITION_HEADER = {
  'X-Svc-Change-Position': about(
    'With `return_position`: position from which to follow changes after this list.',
    text,
  ),
};

/** The cursor list of a record type. Reference 4.3. */
export function describeList(describer: Describer, definition: RecordDefinition): RouteDescription {
  return {
    id: `list${pluralOf(definition)}`,
    group: groupOf(definition),
    summary: `List ${titleOf(definition)}`,
    documentation: `Query.${definition.list}`,
    description: `${SEEN} Any field but \`raw_data\` and lists of objects may be a condition, \`field[operator]=value\`, and \`sort[field]\` orders them.`,
    parameters: [
      limitParameter(describer.limits),
      NEXT,
      PREV,
      ...shownParts(definition),
      flagParameter('return_count', 'Whether to count all matching records in `total_count`.'),
      flagParameter('return_position', RETURN_POSITION),
      flagParameter('include_deleted_records', INCLUDE_DELETED),
      sortParameter(describer, definition),
      ...filterParameters(describer, definition),
    ],
    answer: inEnvelopeB(recordSchema(describer, definition)),
    isTagged: true,
    headers: POSITION_HEADER,
  };
}

/** One record. */
export function describeRecord(describer: Describer, definition: RecordDefinition): RouteDescription {
  return {
    id: `get${definition.model}`,
    group: groupOf(definition),
    summary: `Get one of the ${titleOf(definition)}`,
    documentation: definition.model,
    description: 'Also finds deleted records, which have `svc_deleted_at`.',
    parameters: shownParts(definition),
    answer: inEnvelopeC(recordSchema(describer, definition)),
    isTagged: true,
  };
}

/** `take` and `skip` of a list by a body: their limits are configurable. */
export const takenSchemas = ({ take, maxTake, maxSkip }: Limits): Fields => ({
  Take: nullable({ ...integer, maximum: maxTake, default: take }),
  Skip: nullable({ ...integer, maximum: maxSkip }),
});

/** The list by a body. Reference 4.1. */
export function describeAll(describer: Describer, definition: RecordDefinition): RouteDescription {
  const { Take = {}, Skip = {} } = takenSchemas(describer.limits);
  const body = object(
    {
      take: about(
        'Number of records to return; 0 only counts.',
        describer.component('Take', () => Take),
      ),
      skip: about(
        'Number of records to skip.',
        describer.component('Skip', () => Skip),
      ),
      orderBy: about('Fields to sort by, in order, each `asc` or `desc`.', nullable(orderSchema(definition))),
      filter: about('Conditions that must all hold.', nullable(filterSchema(describer, definition))),
      ...expandSchema(definition),
      include_deleted_records: about(INCLUDE_DELETED, nullable(flag)),
      return_position: about(RETURN_POSITION, nullable(flag)),
    },
    [],
  );
  return {
    id: `listAll${pluralOf(definition)}`,
    group: groupOf(definition),
    summary: `List ${titleOf(definition)} by a body`,
    documentation: `Query.${definition.list}`,
    description: `${SEEN} Conditions and order are in the body, as is the page: \`take\` of them after the first \`skip\`.`,
    body,
    isBodyOptional: true,
    answer: inEnvelopeA(
      object({
        data: arrayOf(recordSchema(describer, definition, 'all')),
        total_count: about('Number of matching records.', integer),
      }),
    ),
    headers: POSITION_HEADER,
  };
}

/** Fields of the list that takes its arguments in a body. */
const expandSchema = (definition: RecordDefinition): Fields => ({
  expand: about(`${EXPAND}.`, nullable(arrayOf(word(...expandedNames(definition))))),
});

const EXPAND = 'Relations to include; also metadata as in `select`';

/** The values of `expand`: relations, and metadata, which all lists accept there. */
const expandedNames = (definition: RecordDefinition): string[] => [
  ...expandable(definition).keys(),
  ...SELECTABLE.keys(),
];

function shownParts(definition: RecordDefinition): QueryParameter[] {
  const select =
    "Metadata to add, comma-separated: the platform's raw data, its SHA-256, its version, mapped fields, custom fields of the platform.";
  const fields =
    'Only these fields, comma-separated; other fields are omitted even if the schema requires them.';
  return [
    listParameter('expand', `${EXPAND}, comma-separated.`, expandedNames(definition)),
    listParameter('select', select, [...SELECTABLE.keys()]),
    listParameter('fields', fields, [...narrowable(definition).keys()]),
  ];
}

const fieldsOf = (definition: RecordDefinition): Field[] =>
  [...namesOf(definition).byWire.values()].map(({ field }) => field);
const sortedBy = (definition: RecordDefinition) =>
  fieldsOf(definition).filter(({ kind }) => isSortable(kind));
const filteredBy = (definition: RecordDefinition) =>
  fieldsOf(definition).filter((field) => operatorNames(field).length > 0);

function sortParameter(describer: Describer, definition: RecordDefinition): QueryParameter {
  const fields = sortedBy(definition).map(({ wire }): [string, JsonSchema] => [
    wire,
    describer.component('SortDirection', () => word('ASC', 'DESC')),
  ]);
  return {
    name: 'sort',
    about: 'Fields to sort by, written `sort[field]`; several apply in query string order.',
    schema: object(Object.fromEntries(fields), []),
  };
}

const orderSchema = (definition: RecordDefinition): JsonSchema =>
  object(Object.fromEntries(sortedBy(definition).map(({ wire }) => [wire, word('asc', 'desc')])), []);

/** Conditions on a field are written `field[operator]=value`. */
function filterParameters(describer: Describer, definition: RecordDefinition): QueryParameter[] {
  return filteredBy(definition).map((field) => ({
    name: field.wire,
    about: `Conditions on \`${field.wire}\`, written \`${field.wire}[operator]=value\`.`,
    schema: conditions(describer, field, 'Query'),
    isDeep: true,
  }));
}

function filterSchema(describer: Describer, definition: RecordDefinition): JsonSchema {
  const name = `${definition.model}Filter`;
  const self = refTo(name);
  return describer.component(name, () => {
    const fields = filteredBy(definition).map((field): [string, JsonSchema] => [
      field.wire,
      nullable(conditions(describer, field, '')),
    ]);
    return object(
      {
        ...Object.fromEntries(fields),
        fields: about('Conditions on mapped fields, by name.', nullable(mappedConditions(describer))),
        custom_fields: about(
          'Conditions on custom fields of the platform, by name.',
          nullable(mappedConditions(describer)),
        ),
        and: about('Filters that must all hold.', nullable(arrayOf(self))),
        or: about('Filters of which at least one must hold.', nullable(arrayOf(self))),
        not: about('A filter that must not hold.', nullable(self)),
      },
      [],
    );
  });
}

const OPERANDS: Readonly<Record<Field['kind'], { readonly name: string; readonly schema: JsonSchema }>> = {
  text: { name: 'Text', schema: text },
  textList: { name: 'TextList', schema: text },
  decimalNumber: { name: 'Number', schema: { type: 'number' } },
  decimalText: { name: 'Decimal', schema: decimalText },
  timestamp: { name: 'Time', schema: givenTime },
  date: { name: 'Day', schema: dayOrTime },
  boolean: { name: 'Flag', schema: flag },
  svcId: {
    name: 'Id',
    schema: svcId,
  },
  json: { name: 'Json', schema: {} },
  version: { name: 'Version', schema: text },
};

/** Conditions on fields of an organisation's own, by name: their values have the types of their mappings. */
const mappedConditions = (describer: Describer): JsonSchema => ({
  type: 'object',
  additionalProperties: nullable(
    describer.component('MappedConditions', () => comparisons(mappedField('', 'text'), {}, '')),
  ),
});

/** The operators of a field and their values; in a query string, lists are comma-separated. */
function comparisons(field: Field, operand: JsonSchema, style: 'Query' | ''): JsonSchema {
  const operators = operatorNames(field).map((operator): [string, JsonSchema] => {
    if (operator === 'isNull') return [operator, flag];
    if (operator === 'in' || operator === 'notIn') {
      const list = style === 'Query' ? about('Values, comma-separated.', text) : arrayOf(operand);
      return [operator, list];
    }
    const isNullToo = style === '' && field.kind !== 'textList' && (operator === 'eq' || operator === 'ne');
    return [operator, isNullToo ? nullable(operand) : operand];
  });
  return object(Object.fromEntries(operators), []);
}

function conditions(describer: Describer, field: Field, style: 'Query' | ''): JsonSchema {
  const make = (operand: JsonSchema) => comparisons(field, operand, style);
  if (field.values && !field.isFilteredAsText) return make(word(...field.values));
  const { name, schema } = OPERANDS[field.kind];
  const isNumberToo = field.kind === 'decimalText' && style === '';
  return describer.component(`${name}${style}Conditions`, () =>
    make(isNumberToo ? { anyOf: [schema, { type: 'number' }] } : schema),
  );
}
