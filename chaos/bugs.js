import { killProcesses, raiseZombies } from './experiments.js';
import { PATCHES } from './patches.js';

/**
 * A batch that hangs because of the bug is not waited for as long as others. Of records with names the platform itself
 * refuses a second one.
 */
const client = { patienceMs: 45_000, kind: 'journal_entries' };

/** What shows a bug: a busy machine breaks other promises. */
const writtenTwice = ({ figures }) => figures.duplicated > 0;
const broken =
  (promise) =>
  ({ verdicts }) =>
    verdicts.some(({ title, problems }) => title.startsWith(promise) && problems.length > 0);
const neverEnds = broken('every upload has ended');

/** What brings each bug to light: the smallest harm that does, where only this one thing protects. */
const TRIALS = {
  // A key would keep the second request from doing anything.
  'send before commit': {
    mode: 'markers',
    points: ['after send', 'before results are stored'],
    shows: writtenTwice,
  },
  'retry without look-up': {
    mode: 'markers',
    points: ['after send', 'before results are stored'],
    shows: writtenTwice,
  },
  'result outside the transaction': {
    mode: 'keys',
    points: ['inside the storing transaction'],
    shows: broken('no job succeeded without its record'),
  },
  'job outside the transaction': { mode: 'keys', points: ['after upload is stored'], shows: neverEnds },
  "caller's key forgotten": {
    mode: 'keys',
    points: ['after upload is stored'],
    shows: writtenTwice,
  },
  'no fencing': { mode: 'markers', zombies: ['after send'], shows: writtenTwice },
  // A second zombie would free what the first one has left locked.
  'lost job ended': { mode: 'keys', zombies: ['after send'], times: 1, shows: neverEnds },
  // The look-up hides it from whoever counts: only the platform's log shows it.
  'sent without a key': { mode: 'keys', points: ['before send'], shows: broken('every write has a key') },
};

/** Runs the service with a planted bug; `isCaught` says whether what it does wrong has shown. */
export async function trialOf(rig, bug, { seed }) {
  const { mode, points, zombies, shows, times = 2 } = TRIALS[bug];
  const common = { mode, seed, patches: PATCHES[bug], client };
  const report = await (zombies
    ? raiseZombies(rig, { ...common, rounds: times, points: zombies })
    : killProcesses(rig, { ...common, kills: 0, perPoint: times, points }));
  return { ...report, isCaught: shows(report) };
}
