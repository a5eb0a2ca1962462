import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { parseSvcId } from '../../values.js';
import { prepareOperation } from '../prepared.js';
import { ignoredIn, limitOf, one, parsed } from '../request/query.js';
import type { RestRoute } from '../route.js';
import { PAGE } from './selections.js';

interface EventPage {
  readonly nodes: readonly object[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** The audit trail, latest first. */
export function auditEventRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(
    executor,
    `query ($companyId: SvcId, $first: Int, $after: String, $last: Int, $before: String) {
      result: auditEvents(companyId: $companyId, first: $first, after: $after, last: $last, before: $before) {
        nodes { svc_id: svcId event_type: eventType key_id: keyId svc_company_id: svcCompanyId subject
          svc_created_at: svcCreatedAt }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    PAGE,
  );
  return [
    {
      method: 'GET',
      path: '/v3/core/audit_events',
      answer: async ({ query, context }) => {
        const ignored = ignoredIn(query, ['limit', 'next', 'prev', 'svc_company_id', 'svc_company_id[eq]']);
        const size = limitOf(query, limits);
        const after = one(query, 'next');
        const before = one(query, 'prev');
        if (after !== null && before !== null) throw invalid('prev', 'next and prev cannot be used together');
        const companyId =
          parsed(query, 'svc_company_id', parseSvcId) ?? parsed(query, 'svc_company_id[eq]', parseSvcId);
        const page = before === null ? { first: size, after } : { last: size, before };
        const { result } = await list.run({ companyId, ...page }, context);
        const { nodes, pageInfo } = result as EventPage;
        return {
          body: stringifyJson({
            data: nodes,
            next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
            prev: pageInfo.hasPreviousPage ? pageInfo.startCursor : null,
          }),
          ignored,
        };
      },
    },
  ];
}
