import { type FieldPath, invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { MAX_MONTHS } from '../../operations/statements/periods.js';
import { parseDate, parseDateTime, parseSvcId, parseText } from '../../base/values.js';
import { about, arrayOf, integer, object } from '../description/json-schema.js';
import { inEnvelopeA, inEnvelopeB } from '../description/envelopes.js';
import {
  STATEMENT_BODY,
  STATEMENT_HEADERS,
  STATEMENT_PARAMETERS,
  statementSchema,
} from '../description/statement-descriptions.js';
import { envelopeA, envelopeB } from '../envelopes.js';
import { remember } from '../remember.js';
import { between, parseObject, readBody, textList } from '../request/body.js';
import { parseNames } from '../request/parts.js';
import { OBJECT, readQuery } from '../request/query.js';
import { ignoredInBody, looksLikeFilter } from '../request/ignored.js';
import type { RestRoute } from '../route.js';
import type { Style } from '../shape.js';
import { prepareStatements, STATEMENT_PLACES, type StatementPlace } from '../statement-places.js';
import { SELECTABLE_OF_STATEMENTS } from '../statement-shape.js';

/** How the arguments are written. */
const RENAMES = {
  companyId: 'svc_company_id[eq]',
  connectionId: 'connection_id[eq]',
  periodStart: 'period_start[gte]',
  periodEnd: 'period_end[lte]',
  direction: 'sort[period_end]',
};
const BODY_RENAMES = {
  companyId: 'filter.svc_company_id.eq',
  connectionId: 'filter.connection_id.eq',
  periodStart: 'filter.period_start.gte',
  periodEnd: 'filter.period_end.lte',
  direction: 'orderBy.period_end',
};

const COMPUTED =
  'Computed from the ledger of each company with complete books; for a given company without them, provided by its platform. The complete list, in one answer.';

/** Statements computed from ledgers or made by platforms, in both styles: complete lists, without pages. */
export function statementRoutes(executor: Executor, limits: Limits): RestRoute[] {
  return STATEMENT_PLACES.flatMap((place) => routesOf(place, executor, limits));
}

/** The source of the statements in an answer. */
const sourceHeader = (nodes: readonly { readonly made_by: string }[]): Readonly<Record<string, string>> => {
  const sources = [...new Set(nodes.map(({ made_by: source }) => source))].sort();
  return sources.length > 0 ? { 'x-svc-statement-source': sources.join(', ') } : {};
};

function routesOf(
  { kind, path, list, title }: StatementPlace,
  executor: Executor,
  limits: Limits,
): RestRoute[] {
  const preparedWith = (style: Style, renames: Readonly<Record<string, string>>) =>
    remember(({ select }: { readonly select: readonly string[] }) =>
      prepareStatements({ kind, list, executor, limits, renames, style, select }),
    );
  const listed = preparedWith('v3', RENAMES);
  const listedByBody = preparedWith('all', BODY_RENAMES);
  return [
    {
      method: 'GET',
      path: `/v3/${path}`,
      describe: (to) => ({
        id: `list${kind}s`,
        group: 'Accounting',
        summary: `List ${title}`,
        description: COMPUTED,
        parameters: STATEMENT_PARAMETERS,
        answer: inEnvelopeB(statementSchema(to, kind, 'v3')),
        headers: STATEMENT_HEADERS,
        asksPlatform: true,
      }),
      query: 'own',
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        const variables = {
          companyId: fields.optional('svc_company_id[eq]', parseSvcId),
          connectionId: fields.optional('connection_id[eq]', parseSvcId),
          periodStart: fields.optional('period_start[gte]', parseDate),
          periodEnd: fields.optional('period_end[lte]', parseDate),
          period: fields.optional('period', months),
          direction: fields.optional('sort[period_end]', direction),
          source: fields.optional('source', parseText),
        };
        const named = fields.list('select');
        const select = parseNames('select', named?.filter((name) => !OF_RECORDS.has(name)) ?? null, {
          allowed: SELECTABLE_OF_STATEMENTS,
        });
        const [byTime = null] = SERVICE_TIMES.map((time) =>
          fields.optional(`sort[${time}]`, direction),
        ).filter((order) => order !== null);
        const since = fields.optional('svc_updated_at[gte]', parseDateTime) ?? '';
        const unread = fields.others();
        const others = unread.map(([name]) => name);
        const bare = others.find((name) => WITH_OPERATOR.has(name));
        if (bare !== undefined) throw invalid(bare, `needs an operator: write ${WITH_OPERATOR.get(bare)}`);
        const strange = unread.find(
          ([name, text]) => /[[\]]/.test(name) || text === OBJECT || looksLikeFilter(name),
        );
        if (strange !== undefined) {
          throw invalid(strange[0], `is not a parameter of statements: they take ${PARAMETERS.join(', ')}`);
        }
        const { operation, write } = listed({ select });
        const { nodes } = (await operation.run(variables, context)).page;
        const changed = nodes.filter(({ svc_updated_at: at }) => at >= since);
        const ordered = byTime === null ? changed : changed.toSorted(compareTimes(byTime));
        const body = envelopeB({ data: write(ordered), next: null, prev: null, totalCount: null });
        const ignored = [...others, ...(named ?? []).filter((name) => OF_RECORDS.has(name))];
        return { body, ignored, headers: sourceHeader(nodes) };
      },
    },
    {
      method: 'POST',
      path: `/${path}/all`,
      describe: (to) => ({
        id: `listAll${kind}s`,
        group: 'Accounting',
        summary: `List ${title} by a body`,
        description: `${COMPUTED} Conditions are in the body.`,
        body: STATEMENT_BODY,
        isBodyOptional: true,
        answer: inEnvelopeA(
          object({
            data: arrayOf(statementSchema(to, kind, 'all')),
            total_count: about('Number of statements.', integer),
          }),
        ),
        headers: STATEMENT_HEADERS,
        asksPlatform: true,
      }),
      answer: async ({ body, context, ...received }) => {
        const { variables, select, ignored } = readAllBody(body);
        const { operation, write } = listedByBody({ select });
        const { nodes } = (await operation.run(variables, context)).page;
        const data = `{"data":${write(nodes)},"total_count":${nodes.length}}`;
        return { body: envelopeA(data, received), ignored, headers: sourceHeader(nodes) };
      },
    },
  ];
}

/** Parameters with an operator, by what comes before it. */
const WITH_OPERATOR: ReadonlyMap<string, string> = new Map(
  Object.values(RENAMES).map((name) => [name.replace(/\[.*/, ''), name]),
);
/** Sort fields of every list (Reference 4.3): for a statement, both are when the last of its entries was stored. */
const SERVICE_TIMES = ['svc_created_at', 'svc_updated_at'];
const PARAMETERS = [
  ...Object.values(RENAMES),
  ...SERVICE_TIMES.map((time) => `sort[${time}]`),
  'period',
  'source',
  'select',
  'svc_updated_at[gte]',
];

/** Values of `select` on every list: a statement is not a platform record and has neither. */
const OF_RECORDS: ReadonlySet<string> = new Set(['raw_data', 'data_hash']);

/** Those of the same time stay in the order of their periods. */
const compareTimes =
  (order: 'ASC' | 'DESC') =>
  ({ svc_updated_at: one }: Timed, { svc_updated_at: other }: Timed): number => {
    if (one === other) return 0;
    return one < other === (order === 'ASC') ? -1 : 1;
  };

interface Timed {
  readonly svc_updated_at: string;
}

const months = between(1, MAX_MONTHS);

function direction(value: unknown, field: FieldPath): 'ASC' | 'DESC' {
  const upper = typeof value === 'string' ? value.toUpperCase() : '';
  if (upper === 'ASC' || upper === 'DESC') return upper;
  throw invalid(field, 'must be ASC or DESC');
}

function readAllBody(body: unknown) {
  const fields = readBody(body ?? {});
  const filter = fields.optional('filter', parseObject) ?? {};
  const conditions = readBody(filter, [], ['filter']);
  const operand = <Value>(
    name: string,
    operator: string,
    parse: (value: unknown, field: FieldPath) => Value,
  ) =>
    conditions.optional(name, (value) => {
      const inside = readBody(value, [], ['filter', name]);
      const found = inside.optional(operator, parse) ?? null;
      const [other] = inside.ignored();
      if (other !== undefined) throw invalid(other, `is not known here: write ${operator}`);
      return found;
    }) ?? null;
  const order = fields.optional('orderBy', parseObject) ?? {};
  const variables = {
    companyId: operand('svc_company_id', 'eq', parseSvcId),
    connectionId: operand('connection_id', 'eq', parseSvcId),
    periodStart: operand('period_start', 'gte', parseDate),
    periodEnd: operand('period_end', 'lte', parseDate),
    period: fields.optional('period', months) ?? null,
    direction: readBody(order, [], ['orderBy']).optional('period_end', direction) ?? null,
    source: fields.optional('source', parseText) ?? null,
  };
  const expand = fields.optional('expand', textList) ?? null;
  const select = parseNames('expand', expand, { allowed: SELECTABLE_OF_STATEMENTS });
  const [strange] = conditions.ignored();
  if (strange !== undefined) throw invalid(strange, 'is not a field to filter statements by');
  return { variables, select, ignored: ignoredInBody(body, fields) };
}
