import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';

/** Loads the modules that this process needs while its database starts. */
export function loadModules({ role, workers, demoData }: Config) {
  const app = role === 'worker' || workers > 1 ? null : import('../app.js');
  // Errors are reported where the modules are needed.
  if (app) void app.then(() => sleep(SERVER_UNDER_WAY_MS)).then(prepareSchema, () => undefined);
  return {
    demo: demoData ? import('../demo/start.js') : null,
    worker: role === 'gateway' ? null : import('../worker/worker.js'),
    app,
  };
}

/** By then the embedded server process has been started, and takes longer to be ready than loading the schema. */
const SERVER_UNDER_WAY_MS = 60;

const prepareSchema = () =>
  import('../graphql/schema.js').then(({ executableSchema }) => void executableSchema());
