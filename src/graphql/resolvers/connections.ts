import type { Context } from '../../context.js';
import type { ConnectedPlatform } from '../../loaders/connections.js';
import { capabilitiesOf } from '../../operations/integrations/capabilities.js';
import { disconnectConnection } from '../../operations/connections/disconnect.js';
import { type ListedSyncSetting, syncSettingsOf } from '../../operations/syncs/sync-settings.js';
import type {
  SchemaConnectedPlatformResolvers,
  SchemaMutationResolvers,
} from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

/** The connection that a run or a change went through; null for one that is gone. */
export async function connectionOf(
  { svcCompanyId, connectionId }: { readonly svcCompanyId: number; readonly connectionId: number | null },
  context: Context,
): Promise<ConnectedPlatform | null> {
  const connections = await context.loaders.connections().load(String(svcCompanyId));
  return connections.find(({ svcId }) => svcId === connectionId) ?? null;
}

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
        return syncSettingsOf(context.client, wanted);
      })
      .load(`${svcCompanyId}:${category}`),
  capabilities: (connection) => capabilitiesOf(connection),
};
