import { listAuditEvents } from '../../operations/audit/audit-events.js';
import type { SchemaQueryResolvers } from '../__generated__/resolvers.js';

export const auditEventQueries: Pick<SchemaQueryResolvers, 'auditEvents'> = {
  auditEvents: (_source, args, context) => listAuditEvents(context, args),
};
