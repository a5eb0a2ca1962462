// `npm run bench`: see --help.
import { openBenchDatabase } from './database.js';
import { describeGuarded, guarded } from './guard.js';
import { machine } from './machine.js';
import { readOptions } from './options.js';
import { stopProcesses } from './processes.js';
import { report } from './report.js';
import { runWorkloads } from './run.js';

/** A separate exit code, to distinguish a slow result from other failures. */
const TOO_SLOW = 3;

let close = async () => {};
let stopping = false;

/** Stops child processes first, then their database. */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  await stopProcesses();
  await close();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(130));

try {
  const options = readOptions(process.argv.slice(2));
  if (options) {
    const database = await openBenchDatabase(options);
    close = database.close;
    if (stopping) await database.close();
    else {
      const results = [];
      let ratios = [];
      const about = await machine(database.client);
      try {
        await runWorkloads(database, results, options);
      } finally {
        // Keep what was measured before a failure.
        if (results.length > 0) report({ options, machine: about, results });
        if (options.guard) ratios = guarded(results, options.only);
        if (ratios.length > 0) process.stdout.write(`${describeGuarded(ratios)}\n`);
      }
      if (ratios.some(({ holds }) => holds === false)) await stop(TOO_SLOW);
    }
  }
  await stop(0);
} catch (error) {
  // Failures while stopping are consequences of it.
  if (!stopping) process.stderr.write(`\n${error.stack}\n`);
  await stop(1);
}
