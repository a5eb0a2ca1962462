import { createServiceContext, type Surroundings } from '../context.js';
import { AppError } from '../errors.js';
import type { ReadChanges } from '../events/sources/change-events.js';
import type { Executor } from '../graphql/execute.js';
import type { Logger } from '../telemetry/log.js';
import { type ChangeReader, createChangeReader } from './changes.js';

/**
 * Reads the changes for webhooks, by the operation of `GET /v3/core/changes`. If retention has passed a webhook's
 * position, it continues from the oldest change.
 */
export function createWebhookChanges(
  executor: Executor,
  surroundings: Surroundings,
  log: Logger,
): ReadChanges {
  const read = createChangeReader(executor, surroundings.limits);
  return async ({ organisationId }, { after, max, ...wanted }) => {
    const context = createServiceContext(surroundings, { organisationId, requestId: 'events', log });
    const nullIfEmpty = <Value>(values: readonly Value[]) => (values.length > 0 ? values : null);
    const { changes, next } = await skipRemoved(read)(
      {
        first: max,
        after: String(after),
        companyIds: nullIfEmpty(wanted.companyIds),
        dataModels: nullIfEmpty(wanted.dataModels),
        operations: nullIfEmpty(wanted.operations),
      },
      context,
    );
    return { changes, end: Number(next) };
  };
}

/** Reads from a position; from the oldest change if that position was removed, and nothing beyond the last change. */
const skipRemoved =
  (read: ChangeReader): ChangeReader =>
  async (selection, context) => {
    try {
      return await read(selection, context);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'invalid-cursor')
        return { changes: [], next: selection.after ?? '', hasMore: false };
      const oldest = error.details['oldestPosition'];
      if (error.code !== 'position-expired' || typeof oldest !== 'number') throw error;
      context.log.warn({ oldest }, 'changes were removed before webhooks were notified of them');
      return read({ ...selection, after: String(oldest - 1) }, context);
    }
  };
