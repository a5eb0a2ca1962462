import { resolve } from 'node:path';
import { workloads } from './workloads/index.js';
import { readArguments } from '../scripts/read-arguments.js';

const HELP = `Compares the service with baselines on the same rows.

  npm run bench                              100,000 rows, every workload
  npm run bench -- --rows 500000 --only payments,deep

  --rows N       number of bill payments, with related records            (100000)
  --raw WHAT     raw data of the records: usual (1.3 KB each) or small        (usual)
  --seconds N    duration of a round                                    (5)
  --rounds N     rounds per target, in turns                            (3)
  --minutes N    duration of the workload soak, which only --only runs  (10)
  --only A,B     workloads: ${Object.keys(workloads).join(' ')}
  --data DIR     keep the data in this folder, and reuse it
  --target NAME  only this target of each workload, such as "ours, REST"; for profiles
  --profile DIR  write a CPU profile of the service to this folder, covering all workloads of the run
  --postgraphile also measure PostGraphile 5; installs it with a Node 22, 480 MB
  --guard        exit with 3 if a request uses twice the CPU that its target allows, three times in a row;
                 store no results
  --help

DATABASE_URL replaces the embedded PostgreSQL: an empty database, or one filled by an earlier run.
`;

/** Parses the command line; null if only help was requested. */
export function readOptions(args) {
  const { values } = readArguments(
    {
      args,
      options: {
        rows: { type: 'string', default: '100000' },
        raw: { type: 'string', default: 'usual' },
        seconds: { type: 'string', default: '5' },
        rounds: { type: 'string', default: '3' },
        minutes: { type: 'string', default: '10' },
        only: {
          type: 'string',
          default: Object.keys(workloads)
            .filter((name) => name !== 'soak')
            .join(),
        },
        data: { type: 'string' },
        target: { type: 'string' },
        profile: { type: 'string' },
        postgraphile: { type: 'boolean', default: false },
        guard: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    HELP,
  );
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  const only = values.only.split(',');
  const unknown = only.find((name) => !Object.hasOwn(workloads, name));
  if (unknown !== undefined) throw new Error(`there is no workload ${unknown}: see --help`);
  return {
    rows: wholeNumber(values, 'rows', 2000, 100_000_000),
    raw: rawOf(values),
    seconds: wholeNumber(values, 'seconds', 1, 600),
    rounds: wholeNumber(values, 'rounds', 1, 100),
    minutes: wholeNumber(values, 'minutes', 1, 600),
    only,
    data: values.data ?? null,
    guard: values.guard,
    postgraphile: values.postgraphile,
    target: values.target ?? null,
    profile: values.profile === undefined ? null : resolve(values.profile),
  };
}

/** Size of the records' raw data: see `data/records.js`. */
export function rawOf({ raw }) {
  if (raw === 'usual' || raw === 'small') return raw;
  throw new Error(`--raw must be usual or small, got ${raw}`);
}

export function wholeNumber(values, name, min, max) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, got ${values[name]}`);
}
