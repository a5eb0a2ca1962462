import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { AuditEventsDocument } from '../__generated__/documents.js';
import { PAGE, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { LATEST_FIRST, latestFirstPage, latestFirstParameters, readLatestFirst } from './latest-first.js';
import { inLatestFirst } from '../description/envelopes.js';

/** The audit trail, latest first. */
export function auditEventRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(executor, AuditEventsDocument, PAGE);
  return [
    {
      method: 'GET',
      path: '/v3/core/audit_events',
      describe: (to) => ({
        id: 'listAuditEvents',
        group: 'Organisation',
        summary: 'List the audit trail, latest first',
        documentation: 'Query.auditEvents',
        parameters: latestFirstParameters(limits),
        answer: inLatestFirst(
          to.component('AuditEvent', () => to.selected(AuditEventsDocument, 'result', 'nodes')),
        ),
      }),
      query: LATEST_FIRST,
      answer: async ({ query, context }) => {
        const { result } = await list.run(readLatestFirst(query, limits), context);
        return latestFirstPage(result.nodes, result.pageInfo);
      },
    },
  ];
}
