import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { auditEventRoutes } from './audit-events.js';
import { changeRoutes } from './changes.js';
import { companyRoutes } from './companies.js';
import { documentRoutes } from './documents.js';
import { exportRoutes } from './exports.js';
import { fieldMappingRoutes } from './field-mappings.js';
import { integrationRoutes } from './integrations.js';
import { inviteLinkRoutes } from './invite-links.js';
import { olderSyncRoutes } from './older-syncs.js';
import { passthroughRoutes } from './passthrough.js';
import { syncRoutes } from './syncs.js';
import { webhookRoutes } from './webhooks.js';
import type { RestRoute } from '../route.js';

/** Integration management (Reference 4.4, G11), one file a subject. */
export function coreRoutes(executor: Executor, limits: Limits): RestRoute[] {
  return [
    ...integrationRoutes(executor),
    ...webhookRoutes(executor, limits),
    ...inviteLinkRoutes(executor, limits),
    ...companyRoutes(executor, limits),
    ...syncRoutes(executor, limits),
    ...olderSyncRoutes(executor, limits),
    ...passthroughRoutes(executor),
    ...documentRoutes(executor, limits),
    ...auditEventRoutes(executor, limits),
    ...fieldMappingRoutes(executor),
    ...changeRoutes(executor, limits),
    ...exportRoutes(executor, limits),
  ];
}
