import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { parseText } from '../../values.js';
import { envelopeC } from '../envelopes.js';
import type { Query } from '../request/parameters.js';
import { prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { readBody } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent, ignoredIn, limitOf, one, pathSvcId, several } from '../request/query.js';
import { COMPANY, PAGE, wireCompany } from './selections.js';
import { knownWords } from '../words.js';
import { syncConfig } from './sync-config.js';

/** Contract section 3. */
const STATUSES = ['HEALTHY', 'EXPIRED', 'PENDING', 'DISCONNECTED', 'SLEEPING', 'DELETED'];

/** The organisation's customers. Contract section 3. */
export function companyRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const companies = prepareOperation(
    executor,
    `query ($first: Int, $after: String, $connected: ConnectedFilter) {
      result: companies(first: $first, after: $after, connected: $connected) {
        nodes ${COMPANY} pageInfo { hasNextPage endCursor } } }`,
    PAGE,
  );
  const company = prepareOperation(
    executor,
    `query ($svcId: SvcId!) { result: company(svcId: $svcId) ${COMPANY} }`,
    {},
  );
  const change = prepareMutation(executor, 'updateCompany', `company ${COMPANY}`, { svcId: 'id' });
  const deletion = prepareMutation(executor, 'deleteCompany', 'deletedCompanyId', { svcId: 'id' });

  /** Nothing is of a platform or kind that there is not: the list is empty then. */
  const known = (name: string, words: string[] | null) => words && knownWords(executor.schema, name, words);

  return [
    {
      method: 'GET',
      path: '/v3/core/companies',
      answer: async ({ query, context }) => {
        const ignored = ignoredIn(query, ['limit', 'next', 'integrations', 'categories', 'status', 'expand']);
        const connected = {
          integrationTypes: known('IntegrationType', severalUpper(query, 'integrations')),
          categories: known('IntegrationCategory', severalUpper(query, 'categories')),
          statuses: known('CompanyStatus', statusesOf(query)),
        };
        const wanted = Object.values(connected).some((values) => values !== null);
        const variables = {
          first: limitOf(query, limits),
          after: one(query, 'next'),
          connected: wanted ? connected : null,
        };
        const { result } = await companies.run(variables, context);
        const { nodes, pageInfo } = result as {
          nodes: unknown[];
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
        };
        const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        return {
          body: `{"data":${stringifyJson(nodes.map(wireCompany))},"next":${stringifyJson(next)}}`,
          ignored,
        };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/companies/:svc_id',
      answer: async ({ params, context }) => {
        const { result } = await company.run({ svcId: idOf(params) }, context);
        if (result === null) throw absent('company');
        return { body: envelopeC(stringifyJson(wireCompany(result))) };
      },
    },
    {
      method: 'PUT',
      path: '/v3/core/companies/:svc_id',
      answer: async ({ params, body, context }) => {
        const svcId = idOf(params);
        const fields = readBody(body);
        const input = {
          svcId,
          name: fields.optional('name', parseText),
          partnerId: fields.nullable('partner_id', parseText),
          syncConfig: fields.optional('sync_config', syncConfig),
        };
        const { company: changed } = await change.run(input, context);
        return { body: envelopeC(stringifyJson(wireCompany(changed))), ignored: fields.ignored() };
      },
    },
    {
      method: 'DELETE',
      path: '/v3/core/companies/:svc_id',
      answer: async ({ params, context }) => {
        await deletion.run({ svcId: idOf(params) }, context);
        return { body: '{"status":"success"}' };
      },
    },
  ];
}

function idOf(params: Readonly<Record<string, string>>): number {
  const svcId = pathSvcId(params['svc_id']);
  if (svcId === null) throw absent('company');
  return svcId;
}

const severalUpper = (query: Query, name: string): string[] | null =>
  several(query, name)?.map((word) => word.toUpperCase()) ?? null;

function statusesOf(query: Query): string[] | null {
  const statuses = severalUpper(query, 'status');
  const unknown = statuses?.find((status) => !STATUSES.includes(status));
  if (unknown === undefined) return statuses;
  throw invalid('status', `status must be of ${STATUSES.join(', ')}, got ${unknown.slice(0, 40)}`);
}
