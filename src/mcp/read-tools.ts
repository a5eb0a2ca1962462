import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { parseJson } from '../base/raw-json.js';
import type { RecordDefinition } from '../records/index.js';
import { takesList } from '../rest/request/parameters.js';
import { type CallRest, refusingAs, ToolRefusal } from './call.js';
import { describeType, listTypes, requireType, searchedFields } from './describe-records.js';
import { answerWith, READS } from './answer.js';
import { takes, wholeNumber } from './takes.js';

/** More would fill a model's context and add little. */
const MAX_RECORDS = 100;
const MAX_FOUND = 5;
/** Record types in which people search for a name or number. */
const SEARCHED = ['CONTACTS', 'ACCOUNTS', 'ITEMS', 'INVOICES', 'BILLS'];

const company = wholeNumber().nonnegative().describe('svc_id of the company');
const dataModel = z.string().describe('Record type, such as INVOICES; describe_records has all of them');
const expand = z
  .array(z.string())
  .optional()
  .describe('Relations to include, such as line_items or line_items.item');
const operand = z.union([z.string(), z.number()]);
const OPERANDS =
  'A condition takes a text, a number, true or false, or a list of texts and numbers; a number of more than 15 digits is written as text';
const condition = z.record(
  z.string(),
  z.union([operand, z.boolean(), z.array(operand)], { error: OPERANDS }),
);
const filter = z
  .record(z.string(), condition)
  .optional()
  .describe('Field to conditions: {"status": {"eq": "PAID"}, "total_amount": {"gt": 100}}');

export function addReadTools(server: McpServer, call: CallRest): void {
  server.registerTool(
    'list_companies',
    {
      description: 'Lists companies with their svc_id, state and connected platforms.',
      inputSchema: takes({ next: z.string().optional().describe('Cursor from an answer') }),
      annotations: READS,
    },
    ({ next }) =>
      answerWith(async () => {
        const query = { limit: String(MAX_RECORDS), ...(next === undefined ? {} : { next }) };
        const page = parseJson(
          await call({ method: 'GET', path: '/v3/core/companies', query }),
        ) as CompanyPage;
        return { companies: page.data.map(shortCompany), next: page.next };
      }),
  );
  server.registerTool(
    'describe_records',
    {
      description:
        'Lists the record types or, of one type, its fields, the operators to filter each by, and its relations.',
      inputSchema: takes({ data_model: dataModel.optional() }),
      annotations: READS,
    },
    ({ data_model: wanted }) =>
      answerWith(async () => (wanted === undefined ? listTypes() : describeType(requireType(wanted)))),
  );
  server.registerTool(
    'query_records',
    {
      description:
        'Lists records of a type, filtered and sorted, page by page, with the number of all that match.',
      inputSchema: takes({
        data_model: dataModel,
        company_id: company.optional(),
        filter,
        sort: z
          .record(z.string(), z.enum(['ASC', 'DESC']))
          .optional()
          .describe('Field to direction: {"posted_date": "DESC"}'),
        expand,
        limit: wholeNumber().min(1).max(MAX_RECORDS).default(20),
        next: z.string().optional().describe('Cursor from an answer'),
      }),
      annotations: READS,
    },
    ({
      data_model: wanted,
      company_id: companyId,
      sort = {},
      expand: relations,
      limit,
      next,
      filter: conditions = {},
    }) =>
      answerWith(() => {
        const query = {
          limit: String(limit),
          return_count: 'true',
          ...(companyId === undefined ? {} : { 'svc_company_id[eq]': String(companyId) }),
          ...Object.fromEntries(
            Object.entries(conditions).flatMap(([field, one]) => conditionsOf(field, one)),
          ),
          ...Object.fromEntries(Object.entries(sort).map(([field, way]) => [`sort[${field}]`, way])),
          ...(relations?.length ? { expand: relations.join(',') } : {}),
          ...(next === undefined ? {} : { next }),
        };
        return call({ method: 'GET', path: `/v3/${requireType(wanted).path}`, query });
      }),
  );
  server.registerTool(
    'search_records',
    {
      description: `Finds records whose name, number or description holds a text: the first ${MAX_FOUND} of each type. Upper and lower case differ.`,
      inputSchema: takes({
        text: z.string().min(1),
        company_id: company.optional(),
        data_models: z
          .array(z.string())
          .min(1, 'Name one type or more, or leave this out')
          .max(10)
          .optional()
          .describe(`Types to search; ${SEARCHED.join(', ')} otherwise`),
      }),
      annotations: READS,
    },
    ({ text, company_id: companyId, data_models: wanted = SEARCHED }) =>
      answerWith(async () => {
        const types = wanted.map(requireType);
        const found = await Promise.all(types.map((type) => search(call, type, { text, companyId })));
        return Object.fromEntries(types.map(({ dataModel: name }, index) => [name, found[index]]));
      }),
  );
  server.registerTool(
    'get_record',
    {
      description: 'Gets one record by its svc_id.',
      inputSchema: takes({ data_model: dataModel, svc_id: wholeNumber().nonnegative(), expand }),
      annotations: READS,
    },
    ({ data_model: wanted, svc_id: svcId, expand: relations }) =>
      answerWith(() =>
        call({
          method: 'GET',
          path: `/v3/${requireType(wanted).path}/${svcId}`,
          ...(relations?.length ? { query: { expand: relations.join(',') } } : {}),
        }),
      ),
  );
  server.registerTool(
    'sync_status',
    {
      description: 'Says how fresh data is: the latest syncs, and of one company its connections.',
      inputSchema: takes({ company_id: company.optional() }),
      annotations: READS,
    },
    ({ company_id: companyId }) =>
      answerWith(async () => {
        const query = {
          limit: '10',
          ...(companyId === undefined ? {} : { svc_company_id: String(companyId) }),
        };
        const syncs = parseJson(await call({ method: 'GET', path: '/v3/core/syncs', query })) as {
          data: unknown;
        };
        if (companyId === undefined) return { syncs: syncs.data };
        const read = refusingAs(call, () => 'company_id');
        const answer = await read({ method: 'GET', path: `/v3/core/companies/${companyId}` });
        return { company: shortCompany((parseJson(answer) as { data: Company }).data), syncs: syncs.data };
      }),
  );
}

interface Company {
  readonly svc_id: number;
  readonly name: string;
  readonly partner_id: string | null;
  readonly status: string;
  readonly connections: readonly Readonly<Record<string, unknown>>[];
}
interface CompanyPage {
  readonly data: readonly Company[];
  readonly next: string | null;
}

const shortCompany = ({ svc_id, name, partner_id, status, connections }: Company) => ({
  svc_id,
  name,
  partner_id,
  status,
  connections: connections.map((one) =>
    Object.fromEntries(
      ['svc_id', 'category', 'integration_type', 'connection_status', 'sync_status', 'last_synced'].map(
        (field) => [field, one[field]],
      ),
    ),
  ),
});

const conditionsOf = (field: string, conditions: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(conditions).map(([operator, value]) => {
    const name = `${field}[${operator}]`;
    return [name, parameterOf(name, operator, value)];
  });

/**
 * Converts a value to a query parameter. Refuses values that a query string cannot express, as the filter would be lost
 * or changed.
 */
function parameterOf(name: string, operator: string, value: unknown): string {
  const texts = [value].flat().map(String);
  if (texts.length === 0 || texts.some((text) => text === '' || text === 'null')) {
    const message = `${name} must be neither empty nor null: records without a value are found by isNull`;
    throw new ToolRefusal('invalid-params', message, name);
  }
  if (!Array.isArray(value)) return String(value);
  if (texts.length > 1 && !takesList(operator)) {
    throw new ToolRefusal('invalid-params', `${name} takes one value: lists are for in and notIn`, name);
  }
  if (texts.slice(0, -1).some((text) => text.endsWith('\\'))) {
    const message = `${name} does not accept a value that ends in a backslash before others: put it last`;
    throw new ToolRefusal('invalid-params', message, name);
  }
  return takesList(operator) ? texts.map((text) => text.replaceAll(',', '\\,')).join(',') : texts.join(',');
}

async function search(
  call: CallRest,
  definition: RecordDefinition,
  { text, companyId }: { readonly text: string; readonly companyId: number | undefined },
): Promise<unknown> {
  const or = searchedFields(definition).map((field) => ({ [field]: { contains: text } }));
  if (or.length === 0) return [];
  const filter = { or, ...(companyId === undefined ? {} : { svc_company_id: { eq: companyId } }) };
  const body = { take: MAX_FOUND, filter };
  const read = refusingAs(call, (field) => (field.startsWith('filter.or.') ? 'text' : field));
  const answer = await read({ method: 'POST', path: `/${definition.unversionedPath}/all`, body });
  return (parseJson(answer) as { data: { data: unknown } }).data.data;
}
