import { resolve } from 'node:path';
import { workloads } from './workloads/index.js';
import { readArguments } from '../scripts/read-arguments.js';

const HELP = `Measures the service against two baselines over the same rows.

  npm run bench                              100,000 rows, every workload
  npm run bench -- --rows 500000 --only payments,deep

  --rows N       bill payments, with what belongs to them                 (100000)
  --raw WHAT     raw data of the records: usual (1.3 KB each) or small        (usual)
  --seconds N    length of one round                                    (5)
  --rounds N     rounds of every target, in turns                       (3)
  --minutes N    of the workload soak, which runs only where --only has it (10)
  --only A,B     workloads: ${Object.keys(workloads).join(' ')}
  --data DIR     keep the data there and use it again
  --target NAME  one target of each workload, such as "ours, REST"; for profiles
  --profile DIR  write a CPU profile of the service there, of all workloads that ran
  --postgraphile measure PostGraphile 5 too; brings it and a Node 22 for it, 480 MB
  --guard        end with 3 where a request's CPU is twice what its target lets it be, three times in a row;
                 keep no results
  --help

DATABASE_URL names a database to use instead of the embedded PostgreSQL: an empty one, or one of an earlier run.
`;

/** The command line, checked. Null when only help was wanted. */
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

/** Of the records' raw data: see `data/records.js`. */
export function rawOf({ raw }) {
  if (raw === 'usual' || raw === 'small') return raw;
  throw new Error(`--raw must be usual or small, got ${raw}`);
}

export function wholeNumber(values, name, min, max) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, got ${values[name]}`);
}
