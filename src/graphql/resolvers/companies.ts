import { listActivities } from '../../operations/companies/activities.js';
import { updateCompany } from '../../operations/companies/companies.js';
import { listConnections } from '../../operations/connections/list-connections.js';
import { deleteCompany } from '../../operations/companies/delete-company.js';
import { latestInviteLinks } from '../../operations/links/invite-links.js';
import type { Row } from '../../query/columns.js';
import { company } from '../../records/index.js';
import type {
  SchemaCompanyResolvers,
  SchemaCompanyStatus,
  SchemaMutationResolvers,
} from '../__generated__/resolvers.js';
import { encodeGlobalId } from '../global-id.js';
import { carryOut } from './mutation.js';

const globalIdOf = (svcId: number): string =>
  encodeGlobalId({ type: company.model, svcCompanyId: svcId, key: svcId });

export const companyMutations: Pick<SchemaMutationResolvers, 'updateCompany' | 'deleteCompany'> = {
  updateCompany: (_source, { input }, context) =>
    carryOut(input, { company: null, warnings: [] }, () => updateCompany(context, input)),
  deleteCompany: (_source, { input }, context) =>
    carryOut(input, { deletedCompanyId: null, deletedId: null, removed: null }, async () => {
      const { connections, ...removed } = await deleteCompany(context, input.svcId);
      return {
        deletedCompanyId: input.svcId,
        deletedId: globalIdOf(input.svcId),
        removed: { ...removed, connections: [...connections] },
      };
    }),
};

/** The worst state that a connection of a company can be in comes first. */
const WORST_FIRST: readonly SchemaCompanyStatus[] = ['EXPIRED', 'DISCONNECTED', 'SLEEPING', 'PENDING'];

const companyId = (row: Row): number => Number(row['svcId']);

/** A customer of the organisation; its own fields and lists are every record type's. */
export const companyFields: Pick<
  SchemaCompanyResolvers,
  'id' | 'status' | 'connections' | 'inviteLink' | 'activityLog'
> = {
  id: (row) => globalIdOf(companyId(row)),
  status: async (row, _args, context) => {
    const connections = await context.loaders.connections().load(String(companyId(row)));
    const states = connections.flatMap(({ status, syncStatus }) => [status, syncStatus]);
    if (connections.length === 0) return 'PENDING';
    return WORST_FIRST.find((state) => states.includes(state)) ?? 'HEALTHY';
  },
  connections: (row, args, context) => listConnections(context, companyId(row), args),
  inviteLink: (row, _args, context) =>
    context.loaders
      .of('invite links', async (ids) => {
        const found = await latestInviteLinks(context, ids.map(Number));
        return ids.map((id) => found.get(Number(id)) ?? null);
      })
      .load(String(companyId(row))),
  activityLog: (row, args, context) => listActivities(context, companyId(row), args),
};
