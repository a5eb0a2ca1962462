import { ask, graphqlRequest, restRequest } from '../requests.js';
import { paymentsQuery, REST_PATH } from './payments.js';

const SIZE = 100;
const DEEPEST = 5000;
const MOST = 1000;

const WALK = `query ($company: SvcId, $first: Int, $after: String) {
  billPayments(companyId: $company, first: $first, after: $after) { pageInfo { endCursor } }
}`;
const COUNT = 'query ($company: SvcId) { billPayments(companyId: $company, first: 1) { totalCount } }';

/** The number of the deepest full page, and the cursor before it, found as a client would. */
async function deepestPage({ ours, key }, company) {
  const { billPayments } = await ask(ours, graphqlRequest(COUNT, { company }, key));
  const number = Math.min(DEEPEST, Math.floor(billPayments.totalCount / SIZE));
  let after = null;
  for (let left = (number - 1) * SIZE; left > 0; left -= MOST) {
    const variables = { company, first: Math.min(left, MOST), after };
    const page = await ask(ours, graphqlRequest(WALK, variables, key));
    after = page.billPayments.pageInfo.endCursor;
  }
  return { number, after };
}

/** The first page and the deepest one, in GraphQL and REST. */
async function targetsOf(bench, where, company) {
  const { ours, key } = bench;
  const { number, after } = await deepestPage(bench, company);
  const path = `${REST_PATH}limit=${SIZE}${company === null ? '' : `&svc_company_id[eq]=${company}`}`;
  const styles = {
    GraphQL: (cursor) => graphqlRequest(paymentsQuery(), { company, size: SIZE, after: cursor }, key),
    REST: (cursor) => restRequest(cursor === null ? path : `${path}&next=${cursor}`, key),
  };
  return Object.entries(styles).flatMap(([style, request]) => {
    const target = (page, cursor) => {
      const name = `${where}, page ${page}, ${style}`;
      return { name, server: ours, requests: [request(cursor)], group: name };
    };
    const first = target(1, null);
    return [first, { ...target(number, after), limit: first.name }];
  });
}

export const deep = {
  title: 'W4: page 1 against a deep page by cursor (the ratio is to page 1)',
  targets: async (bench) => [
    ...(await targetsOf(bench, 'one company', bench.company)),
    ...(await targetsOf(bench, 'organisation', null)),
  ],
};
