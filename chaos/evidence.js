import { control } from './rig.js';

/** What the clients write, in the names of the platform and of the service. */
const KINDS = {
  Journals: {
    name: (object) => object.Text,
    list: 'journalEntries',
    field: 'description',
    model: 'JOURNAL_ENTRIES',
  },
  Partners: { name: (object) => object.Title, list: 'contacts', field: 'name', model: 'CONTACTS' },
  Products: {
    // A product without its stock count is incomplete.
    name: ({ Title, OnHand }) => (OnHand === '7' ? Title : `${Title}-uncounted`),
    list: 'items',
    field: 'name',
    model: 'ITEMS',
  },
};

/** Everything that the checker needs: the platform's state, and what the service reports about it. */
export async function collect({ rig, url, companies, history }) {
  const platform = { objects: [], writes: [] };
  const service = { uploads: [], records: [], changes: [] };
  for (const company of companies) {
    const { account, companyId } = company;
    const of = `account=${account}&platform=accounting`;
    const { writes } = await control(rig, 'GET', `/writes?${of}`);
    platform.writes.push(...writes.map((write) => ({ account, ...write })));
    for (const [kind, { name, list, field }] of Object.entries(KINDS)) {
      const text = await linesOf(rig, `${of}&kind=${kind}`);
      const objects = text.map(({ id, object }) => ({ account, kind, id, name: name(object) }));
      platform.objects.push(...objects.filter((one) => isOurs(one.name)));
      const records = await all(
        { url, company },
        list,
        `svcId platformId ${field}`,
        `first: ${PAGE}, companyId: ${companyId}`,
      );
      service.records.push(
        ...records
          .map(({ svcId, platformId, [field]: text }) => ({ account, kind, svcId, platformId, name: text }))
          .filter((one) => isOurs(one.name)),
      );
    }
    const items =
      'items(first: 1000) { nodes { jobId state endedAt platformId record { ... on JournalEntry { svcId } ... on Contact { svcId } ... on Item { svcId } } } }';
    const uploads = await all(
      { url, company },
      'writes',
      `writeId state endedAt ${items}`,
      `first: ${WRITES}, companyId: ${companyId}`,
    );
    service.uploads.push(
      ...uploads.map(({ items, ...upload }) => ({ account, ...upload, items: items.nodes })),
    );
    const { rows } = await rig.sql.query(
      `SELECT svc_id::int AS "svcId", operation FROM record_changes WHERE svc_company_id = $1 AND data_model = ANY ($2)`,
      [companyId, Object.values(KINDS).map(({ model }) => model)],
    );
    service.changes.push(...rows);
  }
  return { events: history.events, platform, service };
}

/** Names given by clients. */
const isOurs = (name) => typeof name === 'string' && name.includes('-item-');

async function linesOf(rig, query) {
  const answer = await fetch(`${rig.sandboxUrl}/_sandbox/objects?${query}`);
  const text = (await answer.text()).trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
}

const PAGE = 200;
/** Uploads per page: each may have a thousand items, and the size of a query is limited. */
const WRITES = 8;

/** All nodes of a GraphQL list of the service. */
async function all({ url, company }, list, selection, args) {
  const nodes = [];
  for (let after = null; ;) {
    const query = `query ($after: String) { list: ${list}(after: $after, ${args}) {
      nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`;
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { api_key: company.key, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { after } }),
    });
    const { data, errors } = await answer.json();
    if (errors) throw new Error(`${list}: ${JSON.stringify(errors).slice(0, 500)}`);
    nodes.push(...data.list.nodes);
    if (!data.list.pageInfo.hasNextPage) return nodes;
    after = data.list.pageInfo.endCursor;
  }
}
