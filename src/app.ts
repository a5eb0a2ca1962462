import { hash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readBuildId } from './build-id.js';
import type { Config } from './config/config.js';
import type { Surroundings } from './context.js';
import { databaseTime } from './db/clock.js';
import type { Database } from './db/database.js';
import { DELIVERY_TIMEOUT_MS } from './events/send.js';
import { openFiles } from './files/index.js';
import { createExecutor } from './graphql/execute.js';
import { PersistedQueries } from './graphql/persisted-queries.js';
import { executableSchema, readSchemaText } from './graphql/schema.js';
import { createGraphqlServer } from './graphql/server.js';
import { createSubscriptions } from './graphql/subscribe.js';
import { BACKLOG } from './http/fastify.js';
import type { MetricsOptions } from './http/metrics/metrics.js';
import { prefixOf } from './http/prefix.js';
import { createServer } from './http/server.js';
import { watchPool } from './telemetry/meters.js';
import { createOutboundCaller } from './outbound/caller.js';
import type { PlatformUrls } from './platforms/settings.js';
import type { SecretBox } from './secrets/secret-box.js';
import { createWebhookChanges } from './rest/webhook-changes.js';
import { createRoutes } from './rest/routes/index.js';

export interface AppOptions {
  readonly config: Config;
  /** Migrated; closed with the app. */
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly log: Logger;
  /** Base URLs that replace the platforms' usual ones. */
  readonly urls: PlatformUrls;
  /** Shown in the playground. */
  readonly demoApiKey: string | null;
  /** Metrics of the other processes, if there are any. */
  readonly others?: MetricsOptions['others'];
  /** Clock for the expiry of file URLs; tests pass their own. */
  readonly now?: () => Date;
}

export interface App {
  /** `http://host:port` without a slash at the end. */
  readonly url: string;
  readonly database: Database;
  /** Reports not ready, but still answers requests: load balancers notice and send theirs elsewhere. */
  drain(): void;
  /** Stops accepting requests, finishes those in flight within `CLOSE_MS`, and closes the database. */
  close(): Promise<void>;
}

/** While closing, open connections get `Connection: close` this long: cutting them could lose requests. */
const LINGER_MS = 1000;
/** After this, callers that wait for a platform's response get PENDING. */
const WAIT_MS = 1500;
/** After this, requests in flight are aborted. */
const CLOSE_MS = 3000;

/** Builds everything on a database and listens. The caller closes the database when this throws. */
export async function createApp({
  config,
  database,
  secrets,
  urls,
  log,
  demoApiKey,
  others = async () => [],
  now = databaseTime,
}: AppOptions): Promise<App> {
  const { limits } = config;
  const files = await openFiles({ config, secrets, log, now });
  const outbound = createOutboundCaller({
    allowPrivate: config.allowPrivateAddresses,
    timeoutMs: DELIVERY_TIMEOUT_MS,
  });
  const executor = createExecutor(executableSchema(), { jit: config.jit });
  const persistedQueries = new PersistedQueries();
  const apollo = createGraphqlServer({
    executor,
    limits,
    introspection: config.introspection,
    persistedQueries,
  });
  await apollo.start();
  const playground = config.playground ? { apiKey: config.production ? null : demoApiKey } : null;
  const routes = createRoutes(executor, limits);
  const prefix = prefixOf(config.publicUrl);
  let url = '';
  let isDraining = false;
  let isClosing = false;
  const stopping = new AbortController();
  const surroundings: Surroundings = {
    database,
    secrets,
    urls,
    files,
    outbound,
    readChanges: (...wanted) => readChanges(...wanted),
    limits,
    stopping: stopping.signal,
    publicUrl: () => config.publicUrl ?? url,
  };
  const readChanges = createWebhookChanges(executor, surroundings, log);
  const server = await createServer({
    ...surroundings,
    apollo,
    persistedQueries,
    schemaText: readSchemaText(),
    subscriptions: createSubscriptions({ executor, limits, introspection: config.introspection }),
    corsOrigins: config.corsOrigins,
    allowedOrigins: [...config.allowedOrigins, ...config.corsOrigins],
    prefix,
    version: hash('sha256', JSON.stringify([readBuildId(), prefix, limits]), 'base64url'),
    routes,
    others: config.metricsAddress ? null : others,
    requestsAtOnce: config.requestsAtOnce,
    isDraining: () => isDraining,
    isClosing: () => isClosing,
    log,
    logRequests: config.logRequests,
    trustProxy: config.trustProxy,
    playground,
  });
  const unwatch = watchPool({ name: 'requests', ...database });
  await server.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  url = `http://${host}:${port}`;
  return {
    url,
    database,
    drain: () => {
      isDraining = true;
    },
    close: async () => {
      isClosing = true;
      if (isDraining) await sleep(LINGER_MS);
      isDraining = true;
      const timers = [
        setTimeout(() => stopping.abort(), WAIT_MS),
        setTimeout(() => server.server.closeAllConnections(), CLOSE_MS),
      ];
      await server.close().finally(() => timers.forEach(clearTimeout));
      await apollo.stop();
      await outbound.close();
      await database.close();
      unwatch();
    },
  };
}
