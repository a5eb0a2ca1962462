import { postgraphileRequests } from '../baselines/postgraphile/requests.js';
import { findPlaces, graphqlRequest, limitRequest, restRequest } from '../requests.js';

/**
 * The targets of a list workload: the same pages of one company from every server. `query` has the variables
 * `company`, `size` and `after`; `restPath` is the REST list with its parameters, if REST has the same list. `args`
 * are further arguments of the list, and `sort` the column that they sort by.
 */
export async function listTargets(bench, { statement, list, size, query, restPath, args, sort }) {
  const { ours, limit, usual, mercurius, postgraphile, byHand, key, company } = bench;
  const places = await findPlaces(bench, { list, size, args, sort });
  const graphql = (afterOf, apiKey) =>
    places.map((place) => graphqlRequest(query, { company, size, after: afterOf(place) }, apiKey));
  const limited = (name) =>
    places.map(({ svcId, sorted }) => limitRequest(name, { company, after: String(svcId), sorted }));
  const targets = [
    { name: 'limit', server: limit, requests: limited(statement) },
    {
      name: 'ours, GraphQL',
      server: ours,
      requests: graphql(({ cursor }) => cursor, key),
      limit: 'limit',
      usual: 'usual',
    },
    ...Object.entries({ mercurius, usual }).map(([name, server]) => ({
      name,
      server,
      requests: graphql(({ svcId }) => String(svcId)),
      limit: 'limit',
    })),
  ];
  if (postgraphile && isTold(query)) {
    const requests = await postgraphileRequests(postgraphile, { query, list, company, size, places });
    targets.push({ name: 'postgraphile', server: postgraphile, requests, limit: 'limit' });
  }
  if (!restPath) return targets;
  const rest = places.map(({ cursor }) =>
    restRequest(`${restPath}&limit=${size}&svc_company_id[eq]=${company}&next=${cursor}`, key),
  );
  const { expand = '' } = Object.fromEntries(new URLSearchParams(restPath.split('?')[1]));
  const handmade = places.map(({ svcId }) => ({
    method: 'GET',
    path: `/?${new URLSearchParams({ company, after: String(svcId), limit: size, expand })}`,
    headers: {},
  }));
  // It only has the list of bill payments, without a count.
  const hasByHand = list === 'billPayments' && !restPath.includes('return_count');
  return [
    ...targets,
    { name: 'limit, as REST', server: limit, requests: limited(`${statement}_rest`), group: 'REST' },
    {
      name: 'ours, REST',
      server: ours,
      requests: rest,
      group: 'REST',
      limit: 'limit, as REST',
      usual: 'usual',
    },
    ...(hasByHand
      ? [{ name: 'REST by hand', server: byHand, requests: handmade, group: 'REST', limit: 'limit, as REST' }]
      : []),
  ];
}

/** Whether PostGraphile can run the query: its smart tags only cover payments and their accounts. */
const isTold = (query) =>
  query.includes('billPayments(') && !query.includes('filter:') && !query.includes('orderBy:');
