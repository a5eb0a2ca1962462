import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseText } from '../../base/values.js';
import { envelopeC } from '../envelopes.js';
import {
  CompaniesDocument,
  CompanyDocument,
  type CompanyFragment,
  DeleteCompanyDocument,
  UpdateCompanyDocument,
} from '../__generated__/documents.js';
import { PAGE, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { readBody } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent, pathSvcId } from '../request/path.js';
import { checkExpand } from '../request/parts.js';
import { type QueryFields, readQuery } from '../request/query.js';
import { knownWords } from '../words.js';
import { syncConfig } from './sync-config.js';
import { inEnvelopeC, inList } from '../description/envelopes.js';
import { limitParameter, listParameter, NEXT } from '../description/parameters.js';
import { deletionRoute } from './deletion-route.js';

/** Reference G6, status of companies. */
const STATUSES = ['HEALTHY', 'EXPIRED', 'PENDING', 'DISCONNECTED', 'SLEEPING', 'DELETED'];
/** Reference G6; of the last two no company has a connection. */
const CATEGORIES = ['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE', 'CRM', 'CUSTOM'];
const INCLUDED = ['connections', 'invite_link', 'activity_log'];

/** The organisation's customers. Reference G11. */
export function companyRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const companies = prepareOperation(executor, CompaniesDocument, PAGE);
  const company = prepareOperation(executor, CompanyDocument);
  const change = prepareMutation(executor, UpdateCompanyDocument, { svcId: 'id' });
  const deletion = prepareMutation(executor, DeleteCompanyDocument, { svcId: 'id' });

  /** The list is empty for a platform or category of which no company can be. */
  const known = (name: string, words: string[] | null) => words && knownWords(executor.schema, name, words);

  return [
    {
      method: 'GET',
      path: '/v3/core/companies',
      describe: (to) => ({
        id: 'listCompanies',
        group: 'Companies',
        summary: 'List companies',
        documentation: 'Query.companies',
        description: 'With their connections, invite link and latest activities.',
        parameters: [
          limitParameter(limits),
          NEXT,
          listParameter(
            'integrations',
            'Platforms, comma-separated: companies connected to one of them.',
            [],
          ),
          listParameter(
            'categories',
            'Categories, comma-separated: companies connected in one of them.',
            CATEGORIES,
          ),
          listParameter('status', 'States, comma-separated.', STATUSES),
          listParameter('expand', 'Accepted for older clients: these are always included.', INCLUDED),
        ],
        answer: inList(to.selected(CompaniesDocument, 'result', 'nodes')),
      }),
      query: ['limit', 'next', 'integrations', 'categories', 'status', 'expand'],
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        checkExpand(fields, INCLUDED);
        const connected = {
          integrationTypes: known('IntegrationType', inUpperCase(fields, 'integrations')),
          categories: known('IntegrationCategory', wordsOf(fields, 'categories', CATEGORIES)),
          statuses: known('CompanyStatus', wordsOf(fields, 'status', STATUSES)),
        };
        const wanted = Object.values(connected).some((values) => values !== null);
        const variables = {
          first: fields.limit(limits),
          after: fields.optional('next', parseText),
          connected: wanted ? connected : null,
        };
        const { result } = await companies.run(variables, context);
        const { nodes, pageInfo } = result;
        const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        return {
          body: `{"data":${stringifyJson(nodes.map(wireCompany))},"next":${stringifyJson(next)}}`,
          cursors: { next },
        };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/companies/:svc_id',
      describe: (to) => ({
        id: 'getCompany',
        group: 'Companies',
        summary: 'Get a company',
        documentation: 'Query.company',
        description: 'With its connections, invite link and latest activities.',
        answer: inEnvelopeC(to.selected(CompanyDocument, 'result')),
      }),
      answer: async ({ params, context }) => {
        const { result } = await company.run({ svcId: idOf(params) }, context);
        if (result === null) throw absent('company');
        return { body: envelopeC(stringifyJson(wireCompany(result))) };
      },
    },
    {
      method: 'PUT',
      path: '/v3/core/companies/:svc_id',
      describe: (to) => ({
        id: 'updateCompany',
        group: 'Companies',
        summary: 'Change a company',
        documentation: 'Mutation.updateCompany',
        description:
          'Fields that are left out stay as they are. A `partner_id` that another company has is stored, and said in `x-svc-warning`.',
        scope: 'write',
        body: to.input(UpdateCompanyDocument, { without: ['svcId'] }),
        answer: inEnvelopeC(to.selected(CompanyDocument, 'result')),
      }),
      answer: async ({ params, body, context }) => {
        const svcId = idOf(params);
        const fields = readBody(body);
        const input = {
          svcId,
          name: fields.optional('name', parseText),
          partnerId: fields.nullable('partner_id', parseText),
          syncConfig: fields.optional('sync_config', syncConfig),
        };
        const { company: changed, warnings } = await change.run(input, context);
        if (changed === null) throw absent('company');
        return { body: envelopeC(stringifyJson(wireCompany(changed))), ignored: fields.ignored(), warnings };
      },
    },
    deletionRoute({
      path: '/v3/core/companies/:svc_id',
      id: 'deleteCompany',
      group: 'Companies',
      summary: 'Delete a company with all its data',
      documentation: 'Mutation.deleteCompany',
      scope: 'write',
      run: (params, context) => deletion.run({ svcId: idOf(params) }, context),
    }),
  ];
}

const idOf = (params: Readonly<Record<string, string>>): number => pathSvcId(params['svc_id'], 'company');

/** Reference G11, Company: its activities are the latest 100. */
const wireCompany = (company: CompanyFragment) => ({
  ...company,
  connections: company.connections.nodes,
  activity_log: company.activity_log.nodes,
});

const inUpperCase = (fields: QueryFields, name: string): string[] | null =>
  fields.list(name)?.map((word) => word.toUpperCase()) ?? null;

function wordsOf(fields: QueryFields, name: string, words: readonly string[]): string[] | null {
  const given = inUpperCase(fields, name);
  const unknown = given?.find((word) => !words.includes(word));
  if (unknown === undefined) return given;
  throw invalid(name, `must be of ${words.join(', ')}, got ${unknown.slice(0, 40)}`);
}
