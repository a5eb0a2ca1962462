// The service as `npm start` runs it, except that it signals itself at a fail point when its parent says so.
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { readConfig } from '../dist/config/config.js';
import { integrationTypes } from '../dist/connectors/index.js';
import { startService } from '../dist/start/start.js';
import { onFailPoint } from '../dist/writes/fail-points.js';

const ERROR = 50;
/** The armed point, the number of passes to let through, and the signal to send. */
let armed = null;
process.on('message', (order) => (armed = order));
// Its parent is gone.
process.on('disconnect', () => process.exit(1));

onFailPoint((point) => {
  if (armed?.point !== point) return;
  if (armed.passes > 0) {
    armed.passes -= 1;
    return;
  }
  const { signal } = armed;
  armed = null;
  // Synchronous, as the next line may end the process.
  writeSync(1, `at ${point}\n`);
  process.kill(process.pid, signal);
  // Another thread may get the signal: block this one until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
});

/** Tells the parent the ids of the workers; forwards only errors from the log. */
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

// Without `await`, which a bundle knows only inside functions.
void startService(readConfig(process.env, integrationTypes), log).then(() => process.stdout.write('ready\n'));
