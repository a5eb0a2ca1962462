import type { Executor } from '../graphql/execute.js';
import type { Limits } from '../limits.js';
import { companyRoutes } from './core/companies.js';
import { documentRoutes } from './core/documents.js';
import { integrationRoutes } from './core/integrations.js';
import { inviteLinkRoutes } from './core/invite-links.js';
import { olderSyncRoutes } from './core/older-syncs.js';
import { passthroughRoutes } from './core/passthrough.js';
import { syncRoutes } from './core/syncs.js';
import { webhookRoutes } from './core/webhooks.js';
import type { RestRoute } from './route.js';

/** Integration management (reference 4.4, contract section 3), one file a subject. */
export function coreRoutes(executor: Executor, limits: Limits): RestRoute[] {
  return [
    ...integrationRoutes(executor),
    ...webhookRoutes(executor),
    ...inviteLinkRoutes(executor, limits),
    ...companyRoutes(executor, limits),
    ...syncRoutes(executor, limits),
    ...olderSyncRoutes(executor, limits),
    ...passthroughRoutes(executor),
    ...documentRoutes(executor, limits),
  ];
}
