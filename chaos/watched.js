// The service as `npm start` runs it. On request, reports to its parent the event loop delay and the peak memory
// since the last report.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createLog } from '../dist/telemetry/log.js';
import { readConfig } from '../dist/config/config.js';
import { integrationTypes } from '../dist/connectors/index.js';
import { startService } from '../dist/start/start.js';

const MEGABYTE = 2 ** 20;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let memory = 0;
setInterval(() => (memory = Math.max(memory, process.memoryUsage.rss())), 20);

process.on('message', () => {
  process.send({ blockMs: delay.max / 1e6, memory: memory / MEGABYTE });
  delay.reset();
  memory = 0;
});
// Its parent is gone.
process.on('disconnect', () => process.exit(1));

const service = await startService(readConfig(process.env, integrationTypes), createLog('error'));
process.stdout.write(`at ${service.app.url}\n`);
