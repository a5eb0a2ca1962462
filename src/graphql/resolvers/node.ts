import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import { listAuditEventsById } from '../../operations/audit/audit-events.js';
import { listChangesAt } from '../../operations/changes/changes.js';
import { listActivitiesById } from '../../operations/companies/activities.js';
import { allFieldMappings } from '../../operations/fields/field-mappings.js';
import { allIntegrations } from '../../operations/integrations/integrations.js';
import { listInviteLinksById } from '../../operations/links/invite-links.js';
import { listSyncJobsById } from '../../operations/syncs/sync-jobs.js';
import { listSyncsById } from '../../operations/syncs/syncs.js';
import { findStatement, statementKey } from '../../operations/statements/find-statement.js';
import type { Statement } from '../../operations/statements/statement.js';
import { listDeliveriesById } from '../../operations/webhooks/deliveries.js';
import { allWebhooks } from '../../operations/webhooks/webhooks.js';
import { listItemsById, listUploadsById } from '../../operations/writes/uploads.js';
import type { ListedChange } from '../../query/changes/changes.js';
import type { Row } from '../../query/columns.js';
import { type OwnedId, ownedIdOf, ownedKey } from '../../query/owned-ids.js';
import { company, lineTypes, records } from '../../records/index.js';
import type { SchemaQueryResolvers } from '../__generated__/resolvers.js';
import { decodeGlobalId, encodeGlobalId, type GlobalId } from '../global-id.js';
import { recordNeed } from '../selection.js';
import { connectionOf } from './connections.js';

const MAX_NODES = 100;

export const nodeQueries: Required<Pick<SchemaQueryResolvers, 'node' | 'nodes'>> = {
  node: (_source, { id }, context, info) => loadNode(id, context, info),
  nodes: (_source, { ids }, context, info) => {
    if (ids.length > MAX_NODES) {
      throw invalid('ids', `accepts at most ${MAX_NODES} ids, got ${ids.length}`);
    }
    return Promise.all(ids.map((id) => loadNode(id, context, info)));
  },
};

async function loadNode(id: string, context: Context, info: GraphQLResolveInfo): Promise<Row | null> {
  const decoded = decodeGlobalId(id);
  if (!decoded) return null;
  const { type, svcCompanyId, key } = decoded;
  if (typeof key !== 'number' && !NAMED.has(type)) return null;
  const definition = DEFINITIONS.get(type);
  const found: object | null | undefined = definition
    ? await context.loaders.row(recordNeed(definition, info)).load(`${svcCompanyId}:${key}`)
    : await READERS.get(type)?.(decoded, context);
  return found ? { ...found, __typename: type } : null;
}

const DEFINITIONS = new Map([company, ...records, ...lineTypes].map((one) => [one.model, one]));

type Reader = (id: GlobalId, context: Context) => Promise<object | null>;

/** Reads what belongs to a company by its svc_id, all of a batch by one statement. */
const ofCompany =
  (
    name: string,
    list: (context: Context, owned: readonly OwnedId[]) => Promise<readonly OwnedId[]>,
  ): Reader =>
  ({ svcCompanyId, key }, context) =>
    context.loaders
      .of<OwnedId | null>(`node ${name}`, async (keys) => {
        const found = await list(context, keys.map(ownedIdOf));
        return keys.map((one) => found.find((each) => ownedKey(each) === one) ?? null);
      })
      .load(ownedKey({ svcCompanyId, svcId: Number(key) }));

/** Reads what belongs to the organisation by its svc_id, all of a batch by one statement. */
const bySvcId =
  (
    name: string,
    list: (context: Context, svcIds: readonly number[]) => Promise<readonly { readonly svcId: number }[]>,
  ): Reader =>
  ({ key }, context) =>
    context.loaders
      .of<object | null>(`node ${name}`, async (keys) => {
        const found = await list(context, keys.map(Number));
        return keys.map((one) => found.find(({ svcId }) => svcId === Number(one)) ?? null);
      })
      .load(String(key));

/** Reads an object of the organisation from the whole list, which is short. */
const ofOrganisation =
  <One>(
    name: string,
    list: (context: Context) => Promise<readonly One[]>,
    keyOf: (one: One) => unknown,
  ): Reader =>
  async ({ key }, context) => {
    const all = await context.loaders
      .of<readonly One[]>(`nodes ${name}`, async (keys) => {
        const found = await list(context);
        return keys.map(() => found);
      })
      .load('');
    return (all.find((one) => String(keyOf(one)) === String(key)) as object | undefined) ?? null;
  };

const STATEMENTS = ['BalanceSheet', 'IncomeStatement', 'CashFlowStatement'] as const;

/** Types whose keys are not svc_ids. */
const NAMED: ReadonlySet<string> = new Set(['Webhook', ...STATEMENTS]);

/** Readers by type name; a Map, as the name in a forged id may be anything, such as `constructor`. */
const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    Activity: ofCompany('Activity', listActivitiesById),
    InviteLink: ofCompany('InviteLink', listInviteLinksById),
    Sync: ofCompany('Sync', ({ sql }, owned) => listSyncsById(sql, owned)),
    SyncJob: ofCompany('SyncJob', ({ sql }, owned) => listSyncJobsById(sql, owned)),
    Write: ofCompany('Write', ({ sql }, owned) => listUploadsById(sql, owned)),
    WriteItem: ofCompany('WriteItem', ({ sql }, owned) => listItemsById(sql, owned)),
    ConnectedPlatform: ({ svcCompanyId, key }, context) =>
      connectionOf({ svcCompanyId, connectionId: Number(key) }, context),
    Change: ({ svcCompanyId, key }, context) =>
      context.loaders
        .of<ListedChange | null>('node Change', async (keys) => {
          const found = await listChangesAt(context, keys.map(Number));
          return keys.map((one) => found.find(({ position }) => position === Number(one)) ?? null);
        })
        .load(String(key))
        .then((found) => (found?.svcCompanyId === svcCompanyId ? found : null)),
    AuditEvent: bySvcId('AuditEvent', listAuditEventsById),
    WebhookDelivery: bySvcId('WebhookDelivery', listDeliveriesById),
    Integration: ofOrganisation('Integration', allIntegrations, ({ svcId }) => svcId),
    FieldMapping: ofOrganisation('FieldMapping', allFieldMappings, ({ svcId }) => svcId),
    Webhook: ofOrganisation('Webhook', allWebhooks, ({ id }) => id),
    ...Object.fromEntries(
      STATEMENTS.map((kind): [string, Reader] => [
        kind,
        ({ svcCompanyId, key }, context) => findStatement(context, kind, { svcCompanyId, key: String(key) }),
      ]),
    ),
  }),
);

/** `id` of types other than records. */
export const nodeIds: Readonly<Record<string, { readonly id: (source: never) => string }>> = {
  ...Object.fromEntries(
    ['Activity', 'InviteLink', 'Sync', 'SyncJob', 'Write', 'WriteItem', 'ConnectedPlatform'].map((type) => [
      type,
      { id: ({ svcCompanyId, svcId }: OwnedId) => encodeGlobalId({ type, svcCompanyId, key: svcId }) },
    ]),
  ),
  Change: {
    id: ({ svcCompanyId, position }: ListedChange) =>
      encodeGlobalId({ type: 'Change', svcCompanyId, key: position }),
  },
  ...Object.fromEntries(
    ['AuditEvent', 'WebhookDelivery', 'Integration', 'FieldMapping'].map((type) => [
      type,
      { id: ({ svcId }: { svcId: number }) => encodeGlobalId({ type, svcCompanyId: 0, key: svcId }) },
    ]),
  ),
  ...Object.fromEntries(
    STATEMENTS.map((type) => [
      type,
      {
        id: (statement: Statement) =>
          encodeGlobalId({ type, svcCompanyId: statement.svcCompanyId, key: statementKey(statement) }),
      },
    ]),
  ),
  Webhook: { id: ({ id }: { id: string }) => encodeGlobalId({ type: 'Webhook', svcCompanyId: 0, key: id }) },
};
