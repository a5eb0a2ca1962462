import type { Context } from '../../context.js';
import { followChanges } from '../../operations/changes/follow-changes.js';
import { followConnections, followSync, followWrite } from '../../operations/live/follow-progress.js';
import type {
  SchemaSubscriptionChangesArgs,
  SchemaSubscriptionConnectionStatusArgs,
  SchemaSubscriptionSyncProgressArgs,
  SchemaSubscriptionWriteProgressArgs,
} from '../__generated__/resolvers.js';

type Events = AsyncIterable<readonly unknown[]>;

/** A subscription's events come in pages, each of which is executed in one context: see `subscribe.ts`. */
interface Followed<Arguments> {
  subscribe(source: unknown, args: Arguments, context: Context): Events | Promise<Events>;
  resolve(event: unknown): unknown;
}

const followWith = <Arguments>(
  follow: (context: Context, args: Arguments) => Events | Promise<Events>,
): Followed<Arguments> => ({
  subscribe: (_source, args, context) => follow(context, args),
  resolve: (event) => event,
});

export const subscriptions = {
  changes: followWith<SchemaSubscriptionChangesArgs>(followChanges),
  syncProgress: followWith<SchemaSubscriptionSyncProgressArgs>((context, { syncId }) =>
    followSync(context, syncId),
  ),
  writeProgress: followWith<SchemaSubscriptionWriteProgressArgs>((context, { writeId }) =>
    followWrite(context, writeId),
  ),
  connectionStatus: followWith<SchemaSubscriptionConnectionStatusArgs>((context, { companyIds }) =>
    followConnections(context, companyIds ?? null),
  ),
};
