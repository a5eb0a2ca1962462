import { type FieldPath, invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import type { StatementKind } from '../../operations/statements/list-statements.js';
import { MAX_MONTHS } from '../../operations/statements/periods.js';
import { parseDate, parseDateTime, parseSvcId } from '../../values.js';
import { about, arrayOf, integer, object } from '../description/json-schema.js';
import { inEnvelopeA, inEnvelopeB } from '../description/envelopes.js';
import {
  STATEMENT_BODY,
  STATEMENT_PARAMETERS,
  statementSchema,
} from '../description/statement-descriptions.js';
import { envelopeA, envelopeB } from '../envelopes.js';
import { selectionText, statementOperation } from '../operation.js';
import { prepareOperation } from '../prepared.js';
import { between, parseObject, readBody } from '../request/body.js';
import { readQuery } from '../request/query.js';
import type { RestRoute } from '../route.js';
import { statementShape } from '../statement-shape.js';
import { createListWriter } from '../writer.js';

/** Where a kind of statement is. Reference G4. */
interface StatementPlace {
  readonly kind: StatementKind;
  readonly path: string;
  readonly list: string;
  readonly title: string;
}

const PLACES: readonly StatementPlace[] = [
  { kind: 'BalanceSheet', path: 'accounting/balance_sheet', list: 'balanceSheets', title: 'balance sheets' },
  {
    kind: 'IncomeStatement',
    path: 'accounting/income_statement',
    list: 'incomeStatements',
    title: 'income statements',
  },
  {
    kind: 'CashFlowStatement',
    path: 'accounting/cash_flow_statement',
    list: 'cashFlowStatements',
    title: 'statements of cash flows',
  },
];

/** How the arguments are written. */
const RENAMES = {
  companyId: 'svc_company_id[eq]',
  periodStart: 'period_start[gte]',
  periodEnd: 'period_end[lte]',
  direction: 'sort[period_end]',
};
const BODY_RENAMES = {
  companyId: 'filter.svc_company_id.eq',
  periodStart: 'filter.period_start.gte',
  periodEnd: 'filter.period_end.lte',
  direction: 'orderBy.period_end',
};

/** What is computed of ledgers, in both styles: statements come whole, without pages. */
export function statementRoutes(executor: Executor, limits: Limits): RestRoute[] {
  return PLACES.flatMap((place) => routesOf(place, executor, limits));
}

function routesOf(
  { kind, path, list, title }: StatementPlace,
  executor: Executor,
  limits: Limits,
): RestRoute[] {
  const shape = statementShape(kind);
  const document = statementOperation(list, selectionText(shape, limits.expandedRecords));
  const write = createListWriter(shape, limits.expandedRecords);
  const listed = prepareOperation(executor, document, RENAMES);
  const listedByBody = prepareOperation(executor, document, BODY_RENAMES);
  return [
    {
      method: 'GET',
      path: `/v3/${path}`,
      describe: (to) => ({
        id: `list${kind}s`,
        group: 'Accounting',
        summary: `List ${title}`,
        description: 'Computed from the ledger of each company whose books are complete.',
        parameters: STATEMENT_PARAMETERS,
        answer: inEnvelopeB(statementSchema(to, kind)),
      }),
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        const variables = {
          companyId: fields.optional('svc_company_id[eq]', parseSvcId),
          periodStart: fields.optional('period_start[gte]', parseDate),
          periodEnd: fields.optional('period_end[lte]', parseDate),
          period: fields.optional('period', months),
          direction: fields.optional('sort[period_end]', direction),
        };
        const since = fields.optional('svc_updated_at[gte]', parseDateTime) ?? '';
        const others = fields.others().map(([name]) => name);
        const strange = others.find((name) => /[[\]]/.test(name));
        if (strange !== undefined) {
          throw invalid(strange, `is not a parameter of statements: they take ${PARAMETERS.join(', ')}`);
        }
        const { statements } = await listed.run(variables, context);
        const changed = statements.filter(({ svc_updated_at: at }) => at >= since);
        const body = envelopeB({ data: write(changed), next: null, prev: null, totalCount: null });
        return { body, ignored: others };
      },
    },
    {
      method: 'POST',
      path: `/${path}/all`,
      describe: (to) => ({
        id: `listAll${kind}s`,
        group: 'Accounting',
        summary: `List ${title} by a body`,
        body: STATEMENT_BODY,
        answer: inEnvelopeA(
          object({
            data: arrayOf(statementSchema(to, kind)),
            total_count: about('Number of statements.', integer),
          }),
        ),
      }),
      answer: async ({ body, context, ...received }) => {
        const { variables, ignored } = readAllBody(body);
        const { statements } = await listedByBody.run(variables, context);
        const data = `{"data":${write(statements)},"total_count":${statements.length}}`;
        return { body: envelopeA(data, received), ignored };
      },
    },
  ];
}

const PARAMETERS = [...Object.values(RENAMES), 'period', 'svc_updated_at[gte]'];

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
    periodStart: operand('period_start', 'gte', parseDate),
    periodEnd: operand('period_end', 'lte', parseDate),
    period: fields.optional('period', months) ?? null,
    direction: readBody(order, [], ['orderBy']).optional('period_end', direction) ?? null,
  };
  const [strange] = conditions.ignored();
  if (strange !== undefined) throw invalid(strange, 'is not a field to filter statements by');
  return { variables, ignored: fields.ignored() };
}
