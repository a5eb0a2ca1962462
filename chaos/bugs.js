import { killProcesses, raiseZombies } from './experiments.js';
import { PATCHES } from './patches.js';

/**
 * Batches that hang because of the bug get a shorter timeout. Journal entries, because the platform itself rejects
 * duplicates of records with names.
 */
const client = { patienceMs: 45_000, kind: 'journal_entries' };

/** What proves that the bug was caught: a busy machine breaks other promises, too. */
const writtenTwice = ({ figures }) => figures.duplicated > 0;
const broken =
  (promise) =>
  ({ verdicts }) =>
    verdicts.some(({ title, problems }) => title.startsWith(promise) && problems.length > 0);
const neverEnds = broken('every upload has ended');

/** What exposes each bug: the least harm that does, in a mode where nothing else protects. */
const TRIALS = {
  // An idempotency key would make the second request harmless.
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
  // A second zombie would free what the first one left locked.
  'lost job ended': { mode: 'keys', zombies: ['after send'], times: 1, shows: neverEnds },
  // The look-up hides it from counts: only the platform's log shows it.
  'sent without a key': { mode: 'keys', points: ['before send'], shows: broken('every write has a key') },
};

/** Runs the service with a planted bug; `isCaught` says whether the bug was detected. */
export async function trialOf(rig, bug, { seed }) {
  const { mode, points, zombies, shows, times = 2 } = TRIALS[bug];
  const common = { mode, seed, patches: PATCHES[bug], client };
  const report = await (zombies
    ? raiseZombies(rig, { ...common, rounds: times, points: zombies })
    : killProcesses(rig, { ...common, kills: 0, perPoint: times, points }));
  return { ...report, isCaught: shows(report) };
}
