// `npm run bench:sync`: see --help.
import { openPlatformsBench } from '../platforms-rig.js';
import { fairness, firstSync, quietSyncs } from './experiments.js';
import { readArguments } from '../../scripts/read-arguments.js';

const HELP = `Measures syncs with the sandbox platforms; service and sandbox run in separate processes.

  npm run bench:sync                      syncs of 100,000 records: a first one, then without changes, with 1 % changed
                                          and with deletions; then 20 connections in parallel, one of them dead;
                                          then 200 syncs that find nothing
  npm run bench:sync -- --records 10000 --connections 4

  --records N      records of the large company on the accounting platform   (100000)
  --connections N  companies that sync in parallel                           (20)
  --quiet N        syncs that find nothing                                   (200)
  --help
`;

const { values } = readArguments(
  {
    options: {
      records: { type: 'string', default: '100000' },
      connections: { type: 'string', default: '20' },
      quiet: { type: 'string', default: '200' },
      help: { type: 'boolean', default: false },
    },
  },
  HELP,
);
if (values.help) process.stdout.write(HELP);
else {
  const rig = await openPlatformsBench('worker');
  try {
    await firstSync(rig, Number(values.records));
    await fairness(rig, Number(values.connections));
    await quietSyncs(rig, Number(values.quiet));
  } finally {
    await rig.close();
  }
}
