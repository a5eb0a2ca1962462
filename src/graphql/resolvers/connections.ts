import type { Context } from '../../context.js';
import { capabilitiesOf } from '../../operations/integrations/capabilities.js';
import type { ConnectedPlatform } from '../../loaders/connections.js';
import { disconnectConnection } from '../../operations/connections/disconnect.js';
import { type ListedSyncSetting, listSyncSettings } from '../../operations/syncs/sync-settings.js';
import type {
  SchemaConnectedPlatformResolvers,
  SchemaMutationResolvers,
} from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

/** The connections of a company, oldest first. */
export const connectionsOf = async (companyId: number, context: Context): Promise<ConnectedPlatform[]> => [
  ...(await context.loaders.connections().load(String(companyId))),
];

export const connectionMutations: Pick<SchemaMutationResolvers, 'disconnectConnection'> = {
  disconnectConnection: (_source, { input }, context) =>
    carryOut(input, { connection: null, wasPlatformTold: false }, () =>
      disconnectConnection(context, input.connectionId),
    ),
};

export const connectionFields: Pick<SchemaConnectedPlatformResolvers, 'syncSettings' | 'capabilities'> = {
  syncSettings: ({ svcCompanyId, category }, _args, context) =>
    context.loaders
      .of<ListedSyncSetting[]>('sync settings', (keys) => {
        const wanted = keys.map((key) => {
          const [companyId, ...name] = key.split(':');
          return { companyId: Number(companyId), category: name.join(':') };
        });
        return listSyncSettings(context.client, wanted);
      })
      .load(`${svcCompanyId}:${category}`),
  capabilities: (connection) => capabilitiesOf(connection),
};
