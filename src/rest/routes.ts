import type { Executor } from '../graphql/execute.js';
import type { Limits } from '../limits.js';
import { records } from '../records/index.js';
import { coreRoutes } from './core-routes.js';
import { recordRoutes } from './record-routes.js';
import type { RestRoute } from './route.js';

/** Every documented path. Throws where a route's operation does not fit the schema. */
export function createRoutes(executor: Executor, limits: Limits): RestRoute[] {
  return [
    ...coreRoutes(executor, limits),
    ...records.flatMap((definition) => recordRoutes(definition, executor, limits)),
  ];
}
