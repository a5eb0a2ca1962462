import { Logger } from 'graphile-worker';

/** graphile-worker's own log lines add nothing to ours. */
export const silent = new Logger(() => () => undefined);
