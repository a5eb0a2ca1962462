import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { writtenTypes } from '../../operations/integrations/capabilities.js';
import { records } from '../../records/index.js';
import { coreRoutes } from './core-routes.js';
import { realTimeRoute } from './real-time-route.js';
import { recordRoutes } from './record-routes.js';
import type { RestRoute } from '../route.js';
import { statementRoutes } from './statement-routes.js';
import { uploadRoutes } from './upload-routes.js';
import { writeRoutes } from './write-routes.js';

/** Every documented path. */
export function createRoutes(executor: Executor, limits: Limits): RestRoute[] {
  return [
    ...coreRoutes(executor, limits),
    ...records.flatMap((definition) => recordRoutes(definition, executor, limits)),
    ...statementRoutes(executor, limits),
    ...writtenTypes().flatMap((type) => writeRoutes(type, executor, limits)),
    ...uploadRoutes(executor, limits),
    realTimeRoute(executor, limits),
  ];
}
