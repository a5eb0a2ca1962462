/** A GraphQL request over HTTP. */
export function graphqlRequest(query, variables, key) {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...(key ? { api_key: key } : {}) },
    body: JSON.stringify({ query, variables }),
  };
}

export function restRequest(path, key) {
  return { method: 'GET', path, headers: { api_key: key } };
}

/** A request to the limit server: a statement and its parameters. */
export function limitRequest(statement, parameters) {
  return { method: 'GET', path: `/${statement}?${new URLSearchParams(parameters)}`, headers: {} };
}

/** The `data` of a GraphQL request that must succeed. */
export async function ask(server, { path, ...init }) {
  const response = await fetch(`${server.url}${path}`, init);
  const { data, errors } = await response.json();
  if (errors) throw new Error(`${server.name}: ${JSON.stringify(errors).slice(0, 400)}`);
  return data;
}

/**
 * Up to `most` places in a list from which a full page follows: the service's opaque cursor, and the svc_id (with the
 * value of the sorted column) that the baselines use.
 */
export async function findPlaces(
  { ours, key, company },
  { list, size, args = '', sort = 'svcId', most = 8 },
) {
  const query = `query ($company: SvcId, $size: Int, $after: String) {
    list: ${list}(companyId: $company, first: $size, after: $after ${args}) {
      nodes { svcId sorted: ${sort} } pageInfo { hasNextPage endCursor }
    }
  }`;
  const places = [];
  let place = { cursor: null };
  for (;;) {
    const variables = { company, size, after: place.cursor };
    const { nodes, pageInfo } = (await ask(ours, graphqlRequest(query, variables, key))).list;
    if (nodes.length === size) places.push(place);
    if (!pageInfo.hasNextPage || places.length > most) {
      if (places.length < 2) throw new Error(`${list}: too few for two pages of ${size}; use more --rows`);
      return places.slice(1);
    }
    place = { cursor: pageInfo.endCursor, ...nodes.at(-1) };
  }
}
