import { readArguments } from '../../read-arguments.js';

const HELP = `Runs a real Vendure server with its sample shop: first the connector suite; then connects it to this service through a link page
and checks that shop events arrive: a checkout, a change, a refund, a cancellation, a shipment; then syncs with killed workers.

  npm run test:vendure
  npm run test:vendure -- --seed 7 --kills 10

  --kills N      syncs whose worker is killed with SIGKILL          (4)
  --seed N       random seed; by default random and printed
  --no-suite     skip the connector suite
  --fresh        reinstall Vendure and refill its sample shop
  --help

Vendure (GPL-3) is not a dependency of this project. The first run installs it from npm into .cache/platforms, 190 MB; this
needs a compiler if better-sqlite3 and bcrypt have no binary for this machine.
`;

/** Parses the command line; null if only help was requested. */
export function readOptions(args) {
  const { values } = readArguments(
    {
      args,
      options: {
        kills: { type: 'string', default: '4' },
        seed: { type: 'string' },
        'no-suite': { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    HELP,
  );
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  return {
    kills: wholeNumber(values, 'kills', 1000),
    seed:
      values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber(values, 'seed', 2 ** 31),
    isFresh: values.fresh,
    withSuite: !values['no-suite'],
  };
}

function wholeNumber(values, name, max) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new Error(`--${name} must be a whole number from 0 to ${max}, got ${values[name]}`);
}
