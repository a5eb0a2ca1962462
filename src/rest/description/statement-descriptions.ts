import { getNamedType, isNonNullType, isObjectType } from 'graphql';
import type { StatementKind } from '../../connectors/reports.js';
import { MAX_MONTHS } from '../../operations/statements/periods.js';
import type { ShapeField, Style } from '../shape.js';
import { SELECTABLE_OF_STATEMENTS, statementShape } from '../statement-shape.js';
import type { Describer } from './describe.js';
import {
  about,
  arrayOf,
  day,
  integer,
  type JsonSchema,
  nullable,
  object,
  svcId,
  text,
  shownDay,
  time,
  word,
} from './json-schema.js';
import { COMPANY_FILTER, listParameter, type QueryParameter, wordParameter } from './parameters.js';
import { KINDS } from './record-schemas.js';

const MONTHS: JsonSchema = { ...integer, minimum: 1, maximum: MAX_MONTHS };
const START = 'First day; by default January 1 of the year of the last day.';
const END = 'Last day; default today in UTC.';
const PERIOD = 'Months of each statement: 3 gives quarters. By default one statement for the whole period.';

const CONNECTION = 'Only from the books of this connection.';
const SOURCES = ['LEDGER', 'PLATFORM'];
const SOURCE =
  'Source: the ledger in this service, or the platform. By default the ledger, or the platform if the ledger is incomplete.';
const SELECT =
  "`source`, and `reconciliation`: differences between the computed and the platform's own amounts.";

/** Headers of answers with statements. */
export const STATEMENT_HEADERS = {
  'X-Svc-Statement-Source': about('Source of the statements: `LEDGER`, `PLATFORM`, or both.', text),
};

/** Query parameters of lists of statements. */
export const STATEMENT_PARAMETERS: readonly QueryParameter[] = [
  COMPANY_FILTER,
  { name: 'period_start[gte]', about: START, schema: day },
  { name: 'period_end[lte]', about: END, schema: day },
  { name: 'connection_id[eq]', about: CONNECTION, schema: svcId },
  { name: 'period', about: PERIOD, schema: MONTHS },
  wordParameter('source', SOURCE, SOURCES),
  listParameter('select', SELECT, [...SELECTABLE_OF_STATEMENTS.keys()]),
  wordParameter('sort[period_end]', 'Order by the last day; by default earliest first.', ['ASC', 'DESC']),
  wordParameter('sort[svc_created_at]', 'Order by the time when the last entry was stored.', ['ASC', 'DESC']),
  wordParameter('sort[svc_updated_at]', 'The same order.', ['ASC', 'DESC']),
  { name: 'svc_updated_at[gte]', about: 'Only statements with an entry stored since then.', schema: time },
];

/** The body of the other style. */
export const STATEMENT_BODY: JsonSchema = object(
  {
    filter: about(
      'Company and period.',
      nullable(
        object(
          {
            svc_company_id: object({ eq: svcId }, []),
            connection_id: about(CONNECTION, object({ eq: svcId }, [])),
            period_start: about(START, object({ gte: day }, [])),
            period_end: about(END, object({ lte: day }, [])),
          },
          [],
        ),
      ),
    ),
    period: about(PERIOD, nullable(MONTHS)),
    source: about(SOURCE, nullable(word(...SOURCES))),
    expand: about(SELECT, nullable(arrayOf(word(...SELECTABLE_OF_STATEMENTS.keys())))),
    orderBy: about('Order of the statements.', nullable(object({ period_end: word('asc', 'desc') }, []))),
  },
  [],
);

/** A statement of a kind, in a style. */
export function statementSchema(describer: Describer, kind: StatementKind, style: Style): JsonSchema {
  return describer.component(style === 'all' ? `Unversioned${kind}` : kind, () => {
    const shape = statementShape(kind, style, [...SELECTABLE_OF_STATEMENTS.keys()]);
    return about(describer.typeOf(kind)?.description, fieldsOf(describer, kind, shape));
  });
}

function fieldsOf(describer: Describer, model: string, shape: readonly ShapeField[]): JsonSchema {
  const type = describer.typeOf(model);
  const fields = shape.map((field): [string, JsonSchema] => {
    const known = isObjectType(type) ? type.getFields()[field.graphql] : undefined;
    if (!known) throw new Error(`${model} has no field ${field.graphql}`);
    const below = () =>
      'shape' in field ? fieldsOf(describer, getNamedType(known.type).name, field.shape) : KINDS[field.kind];
    const schema = field.kind === 'lines' ? arrayOf(below()) : below();
    const said = field.kind === 'date' ? shownDay(known.description) : about(known.description, schema);
    return [field.wire, isNonNullType(known.type) ? said : nullable(said)];
  });
  const required = fields.map(([name]) => name).filter((name) => !SELECTABLE_OF_STATEMENTS.has(name));
  return object(Object.fromEntries(fields), required);
}
