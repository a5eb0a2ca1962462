import { ask, graphqlRequest } from '../requests.js';
import { accountsQuery } from './accounts.js';

const SIZE = 100;
const DEEPEST = 5000;
const MOST = 1000;

const WALK = `query ($company: SvcId, $first: Int, $after: String) {
  accounts(companyId: $company, first: $first, after: $after) { pageInfo { endCursor } }
}`;
const COUNT = 'query ($company: SvcId) { accounts(companyId: $company, first: 1) { totalCount } }';

/** The number of the deepest full page, and the cursor before it, found as a client finds it. */
async function deepestPage({ ours, key }, company) {
  const { accounts } = await ask(ours, graphqlRequest(COUNT, { company }, key));
  const number = Math.min(DEEPEST, Math.floor(accounts.totalCount / SIZE));
  let after = null;
  for (let left = (number - 1) * SIZE; left > 0; left -= MOST) {
    const variables = { company, first: Math.min(left, MOST), after };
    const page = await ask(ours, graphqlRequest(WALK, variables, key));
    after = page.accounts.pageInfo.endCursor;
  }
  return { number, after };
}

async function targetsOf(bench, where, company) {
  const { ours, key } = bench;
  const { number, after } = await deepestPage(bench, company);
  const first = `${where}, page 1`;
  const target = (name, cursor) => ({
    name,
    server: ours,
    requests: [graphqlRequest(accountsQuery(), { company, size: SIZE, after: cursor }, key)],
    group: name,
  });
  return [target(first, null), { ...target(`${where}, page ${number}`, after), limit: first }];
}

export const deep = {
  title: 'W4: page 1 against a deep page by cursor, GraphQL (the ratio is to page 1)',
  targets: async (bench) => [
    ...(await targetsOf(bench, 'one company', bench.company)),
    ...(await targetsOf(bench, 'organisation', null)),
  ],
};
