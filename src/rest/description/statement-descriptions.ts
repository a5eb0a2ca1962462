import { isNonNullType, isObjectType } from 'graphql';
import type { StatementKind } from '../../operations/statements/list-statements.js';
import { MAX_MONTHS } from '../../operations/statements/periods.js';
import type { ShapeField } from '../shape.js';
import { statementShape } from '../statement-shape.js';
import type { Describer } from './describe.js';
import {
  about,
  arrayOf,
  integer,
  type JsonSchema,
  nullable,
  object,
  svcId,
  text,
  time,
  word,
} from './json-schema.js';
import { COMPANY_FILTER, type QueryParameter, wordParameter } from './parameters.js';

const MONTHS: JsonSchema = { ...integer, minimum: 1, maximum: MAX_MONTHS };
const DAY: JsonSchema = { type: 'string', format: 'date' };
const START = 'First day; without it, the first of the year of the last day.';
const END = 'Last day; without it, today.';
const PERIOD = 'Months of each statement: 3 gives quarters. Without it, one statement for the whole time.';

/** What lists of statements take. */
export const STATEMENT_PARAMETERS: readonly QueryParameter[] = [
  COMPANY_FILTER,
  { name: 'period_start[gte]', about: START, schema: DAY },
  { name: 'period_end[lte]', about: END, schema: DAY },
  { name: 'period', about: PERIOD, schema: MONTHS },
  wordParameter('sort[period_end]', 'Order by the last day; the earliest comes first without it.', [
    'ASC',
    'DESC',
  ]),
  { name: 'svc_updated_at[gte]', about: 'Only those with an entry stored since then.', schema: time },
];

/** The body of the other style. */
export const STATEMENT_BODY: JsonSchema = object(
  {
    filter: about(
      'Company and time.',
      nullable(
        object(
          {
            svc_company_id: object({ eq: svcId }, []),
            period_start: about(START, object({ gte: DAY }, [])),
            period_end: about(END, object({ lte: DAY }, [])),
          },
          [],
        ),
      ),
    ),
    period: about(PERIOD, nullable(MONTHS)),
    orderBy: about('Order of the statements.', nullable(object({ period_end: word('asc', 'desc') }, []))),
  },
  [],
);

const KINDS: Readonly<Record<string, JsonSchema>> = {
  text,
  svcId,
  timestamp: time,
  date: time,
  decimalNumber: { type: 'number' },
};

/** A statement of a kind. */
export function statementSchema(describer: Describer, kind: StatementKind): JsonSchema {
  return describer.component(kind, () => {
    const { description = '' } = describer.typeOf(kind) ?? {};
    return about(description ?? '', fieldsOf(describer, kind, statementShape(kind)));
  });
}

function fieldsOf(describer: Describer, model: string, shape: readonly ShapeField[]): JsonSchema {
  const type = describer.typeOf(model);
  const fields = shape.map((field): [string, JsonSchema] => {
    const known = isObjectType(type) ? type.getFields()[field.graphql] : undefined;
    if (!known) throw new Error(`${model} has no field ${field.graphql}`);
    const schema =
      'shape' in field
        ? arrayOf(fieldsOf(describer, 'StatementLine', field.shape))
        : (KINDS[field.kind] ?? text);
    const said = about(known.description ?? '', schema);
    return [field.wire, isNonNullType(known.type) ? said : nullable(said)];
  });
  return object(Object.fromEntries(fields));
}
