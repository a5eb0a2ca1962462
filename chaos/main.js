// `npm run chaos`: see --help.
import { writeFileSync } from 'node:fs';
import { trialOf } from './bugs.js';
import { killProcesses, raiseZombies } from './experiments.js';
import { breakPlatform } from './faults.js';
import { readOptions } from './options.js';
import { harmsTo, loseDatabase } from './outages.js';
import { tally, tell } from './report.js';
import { openRig } from './rig.js';

const say = (text) => process.stdout.write(`${text}\n`);
let close = async () => {};
let stopping = false;

/** Child processes end with this one; stop the databases first. */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  await close();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(130));

try {
  const options = readOptions(process.argv.slice(2));
  await stop(options && (await run(options)) > 0 ? 1 : 0);
} catch (error) {
  // Failures while stopping are consequences of it.
  if (!stopping) process.stderr.write(`\n${error.stack}\n`);
  await stop(1);
}

/** Returns the number of failed checks. */
async function run(options) {
  const { seed, historyFile, jsonFile, kills, perPoint } = options;
  say(`seed ${seed}`);
  const rig = await openRig({ harmful: options.outages });
  close = rig.close;
  const reports = [];
  const note = (title, report) => {
    tell(title, report);
    reports.push({ title, ...report });
    if (jsonFile) writeFileSync(jsonFile, JSON.stringify({ seed, reports }));
  };
  if (options.bugs.length > 0) return tryBugs(rig, options, note);
  if (options.outages) {
    const { away, batch } = options;
    const names = harmsTo(rig).filter((name) => name.includes(options.outage));
    if (names.length === 0) throw new Error(`no outage is called like "${options.outage}"`);
    for (const name of names) {
      const client = { most: batch, patienceMs: (away + 180) * 1000 };
      note(name, await loseDatabase(rig, { name, away, mode: 'mixed', seed, historyFile, client }));
    }
  } else if (options.faults) {
    for (const mode of options.modes) {
      note(`faults, ${mode}`, await breakPlatform(rig, { mode, seed, historyFile, items: options.items }));
    }
  } else {
    for (const mode of options.modes) {
      const common = { mode, seed, historyFile, client: { most: options.batch } };
      if (kills + perPoint > 0) {
        note(`kills, ${mode}`, await killProcesses(rig, { ...common, kills, perPoint }));
      }
      if (options.zombies > 0) {
        note(`zombies, ${mode}`, await raiseZombies(rig, { ...common, rounds: options.zombies }));
      }
    }
  }
  const { passed, failed } = tally(reports);
  say(`seed ${seed}`);
  say(`${passed} passed, ${failed} failed`);
  return failed;
}

/** Returns the number of planted bugs that were not caught. */
async function tryBugs(rig, { bugs, seed }, note) {
  let caught = 0;
  for (const bug of bugs) {
    const report = await trialOf(rig, bug, { seed });
    note(`planted: ${bug}`, report);
    if (report.isCaught) caught += 1;
    say(`${report.isCaught ? 'caught' : 'NOT CAUGHT'}: ${bug}\n`);
  }
  say(`seed ${seed}`);
  say(`${caught} passed, ${bugs.length - caught} failed`);
  return bugs.length - caught;
}
