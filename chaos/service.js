// The service as `npm start` runs it: stops at a named point when its parent says so.
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig } from '../dist/config.js';
import { integrationTypes } from '../dist/connectors/index.js';
import { startService } from '../dist/start.js';
import { onFailPoint } from '../dist/writes/fail-points.js';

const ERROR = 50;
/** The point that was asked for, how often it is passed before, and the signal that comes there. */
let armed = null;
process.on('message', (order) => (armed = order));
// Nobody is left to stop it.
process.on('disconnect', () => process.exit(1));

onFailPoint((point) => {
  if (armed?.point !== point) return;
  if (armed.passes > 0) {
    armed.passes -= 1;
    return;
  }
  const { signal } = armed;
  armed = null;
  // Synchronously: the next line ends everything.
  writeSync(1, `at ${point}\n`);
  process.kill(process.pid, signal);
  // Another thread may take the signal: nothing more happens in this one until it has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
});

/** Tells the parent which workers run here; of the log only what is an error is shown. */
const log = pino(
  { level: 'info' },
  {
    write(line) {
      const { level, msg, workerId } = JSON.parse(line);
      if (msg === 'taking jobs') writeSync(1, `worker ${workerId}\n`);
      if (level >= ERROR) process.stderr.write(line);
    },
  },
);

await startService(readConfig(process.env, integrationTypes), log);
process.stdout.write('ready\n');
