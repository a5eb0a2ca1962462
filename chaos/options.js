import { PLANTED_BUGS } from './patches.js';
import { readArguments } from '../scripts/read-arguments.js';

const HELP = `Kills the service or takes away its database while clients write, and checks that nothing is lost or written twice.

  npm run chaos                       200 random kills and 10 at every point, on platforms with and without idempotency
                                      keys; then stopped workers that wake up too late
  npm run chaos -- --faults           instead: a platform that rejects, hangs, disconnects and does not answer
  npm run chaos -- --outages          instead: a database that restarts, is killed, stops, is full, or goes away
  npm run chaos -- --bugs             instead: every planted bug in turn; each must be caught
  npm run chaos -- --bug "no fencing"

  --kills N      random kills                                        (200)
  --per-point N  kills at every named point                          (10)
  --zombies N    stopped workers at every point                      (1)
  --mode MODE    keys, markers, both (in sequence) or mixed (together)  (both)
  --batch N      maximum items per batch                             (50)
  --items N      items to write with --faults                        (1000)
  --away N       seconds that the database is away with --outages    (60)
  --outage NAME  only this outage, by part of its name
  --seed N       random seed; by default random and printed
  --history F    append the clients' history to this file
  --json F       write the reports to this file
  --bug NAME     ${PLANTED_BUGS.join(', ')}
  --help

DATABASE_URL replaces the embedded PostgreSQL: two databases are created on this server, and dropped at the end.
`;

const MODES = { keys: ['keys'], markers: ['markers'], both: ['keys', 'markers'], mixed: ['mixed'] };

/** Parses the command line; null if only help was requested. */
export function readOptions(args) {
  const { values } = readArguments(
    {
      args,
      options: {
        kills: { type: 'string', default: '200' },
        'per-point': { type: 'string', default: '10' },
        zombies: { type: 'string', default: '1' },
        mode: { type: 'string', default: 'both' },
        batch: { type: 'string', default: '50' },
        items: { type: 'string', default: '1000' },
        away: { type: 'string', default: '60' },
        outages: { type: 'boolean', default: false },
        outage: { type: 'string' },
        seed: { type: 'string' },
        history: { type: 'string' },
        json: { type: 'string' },
        faults: { type: 'boolean', default: false },
        bugs: { type: 'boolean', default: false },
        bug: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    },
    HELP,
  );
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  if (!Object.hasOwn(MODES, values.mode)) throw new Error(`there is no mode ${values.mode}: see --help`);
  if (values.bug !== undefined && !PLANTED_BUGS.includes(values.bug)) {
    throw new Error(`there is no bug "${values.bug}": see --help`);
  }
  return {
    kills: wholeNumber(values, 'kills', 0, 10_000),
    perPoint: wholeNumber(values, 'per-point', 0, 1000),
    zombies: wholeNumber(values, 'zombies', 0, 100),
    batch: wholeNumber(values, 'batch', 1, 1000),
    items: wholeNumber(values, 'items', 1, 100_000),
    seed:
      values.seed === undefined
        ? Math.floor(Math.random() * 2 ** 31)
        : wholeNumber(values, 'seed', 0, 2 ** 31),
    modes: MODES[values.mode],
    historyFile: values.history ?? null,
    jsonFile: values.json ?? null,
    faults: values.faults,
    outages: values.outages || values.outage !== undefined,
    outage: values.outage ?? '',
    away: wholeNumber(values, 'away', 1, 3600),
    bugs: values.bugs ? PLANTED_BUGS : values.bug === undefined ? [] : [values.bug],
  };
}

function wholeNumber(values, name, min, max) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, got ${values[name]}`);
}
