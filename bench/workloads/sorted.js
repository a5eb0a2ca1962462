import { listTargets } from './list.js';
import { paymentsQuery } from './payments.js';

const sortedBy = (field, direction) => ({
  args: `orderBy: [{ field: ${field}, direction: ${direction} }]`,
  sort: field,
});
/** By statement of the limit. */
const VARIANTS = {
  by_id_down: sortedBy('svcId', 'DESC'),
  by_created: sortedBy('svcCreatedAt', 'ASC'),
  by_created_down: sortedBy('svcCreatedAt', 'DESC'),
  by_updated: sortedBy('svcUpdatedAt', 'ASC'),
  by_updated_down: sortedBy('svcUpdatedAt', 'DESC'),
  of_contact: { args: 'filter: { contactId: { eq: "con-2" } }', size: 5 },
  of_mode: { args: 'filter: { paymentMode: { eq: "CARD" }, amount: { gte: "1000" } }' },
  since: {
    args: `filter: { svcUpdatedAt: { gte: "2026-03-01T00:00:00Z" } }
      orderBy: [{ field: SVC_UPDATED_AT, direction: ASC }]`,
    sort: 'svcUpdatedAt',
  },
};

export const sorted = {
  title: 'W1 in every sort order and with filters, GraphQL',
  targets: async (bench) => {
    const targets = [];
    for (const [statement, { args, sort, size = 100 }] of Object.entries(VARIANTS)) {
      const [limit, ours] = await listTargets(bench, {
        statement,
        list: 'billPayments',
        size,
        args,
        sort,
        query: paymentsQuery({ args }),
      });
      const name = statement.replaceAll('_', ' ');
      targets.push(
        { ...limit, name: `limit, ${name}`, group: name },
        { ...ours, name, group: name, limit: `limit, ${name}`, usual: undefined },
      );
    }
    return targets;
  },
};
