import { ask, graphqlRequest } from '../../requests.js';

/** Translates one of our list queries to PostGraphile: different type and argument names, the same answer. */
function translated(query) {
  return query
    .replace('$company: SvcId', '$company: BigInt')
    .replace('$after: String', '$after: Cursor')
    .replace(
      /(\w+)\(companyId: \$company,/,
      (_all, list) =>
        `${list}: all${list[0].toUpperCase()}${list.slice(1)}(condition: { svcCompanyId: $company, svcDeletedAt: null },`,
    )
    .replace('(first: 10)', '(first: 10, condition: { svcDeletedAt: null })');
}

/**
 * Requests for the pages after the given svc_ids. A PostGraphile cursor consists of the order's name, the company and
 * the svc_id.
 */
export async function postgraphileRequests(server, { query, list, company, size, places }) {
  const text = translated(query);
  const request = (after) => graphqlRequest(text, { company: String(company), size, after });
  const { pageInfo } = (await ask(server, request(null)))[list];
  const [order] = JSON.parse(Buffer.from(pageInfo.endCursor, 'base64').toString());
  const cursorOf = (svcId) =>
    Buffer.from(JSON.stringify([order, String(company), String(svcId)])).toString('base64');
  return places.map(({ svcId }) => request(cursorOf(svcId)));
}
