import { readArguments } from '../../read-arguments.js';

const HELP = `Runs a true Vendure server with its sample shop: the suite that every connector passes; then it is connected to this service by
its link page, and what happens in the shop must show up here: a checkout, a change, a refund, a cancellation, a parcel; then syncs whose worker is killed.

  npm run test:vendure
  npm run test:vendure -- --seed 7 --kills 10

  --kills N      syncs whose worker is killed with SIGKILL          (4)
  --seed N       repeats what was drawn; without one, it is drawn and printed
  --no-suite     without the suite of connectors, which comes first
  --fresh        installs Vendure and fills its sample shop anew
  --help

Vendure (GPL-3) is no dependency of this project. The first run installs it from npm into .cache/platforms, 190 MB; that
needs a compiler where better-sqlite3 and bcrypt have no binary for this machine.
`;

/** The command line, checked. Null when only help was wanted. */
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
