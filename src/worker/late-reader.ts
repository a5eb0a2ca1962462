import type { Config } from '../config/config.js';
import type { Surroundings } from '../context.js';
import type { ReadChanges } from '../events/sources/change-events.js';
import type { Logger } from '../telemetry/log.js';

interface Services extends Pick<Surroundings, 'database' | 'secrets' | 'urls' | 'files' | 'outbound'> {
  readonly config: Config;
  readonly log: Logger;
}

/** Reads records for events. Created when the first is sent: a process without webhooks needs no GraphQL. */
export function lateReader({ config, log, ...services }: Services): ReadChanges {
  let made: Promise<ReadChanges> | null = null;
  const make = async (): Promise<ReadChanges> => {
    const [{ createExecutor }, { executableSchema }, { createWebhookChanges }] = await Promise.all([
      import('../graphql/execute.js'),
      import('../graphql/schema.js'),
      import('../rest/webhook-changes.js'),
    ]);
    const surroundings: Surroundings = {
      ...services,
      limits: config.limits,
      readChanges: read,
      stopping: new AbortController().signal,
      publicUrl: () => config.publicUrl ?? '',
    };
    const executor = createExecutor(executableSchema(), { jit: config.jit });
    return createWebhookChanges(executor, surroundings, log);
  };
  const read: ReadChanges = async (...wanted) => (await (made ??= make()))(...wanted);
  return read;
}
