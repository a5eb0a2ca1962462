// `npm run bench:writes`: see --help.
import { openPlatformsBench } from '../platforms-rig.js';
import { bulk, direct, prepareWriter, sameKey, single } from './experiments.js';
import { readArguments } from '../../scripts/read-arguments.js';

const HELP = `Measures writes to a sandbox without limits; service and sandbox run in separate processes.

  npm run bench:writes                    many items in one request, then repeated with the same key; sequential single
                                          writes; 50 concurrent clients with one key; passthrough against a direct call
  npm run bench:writes -- --items 100

  --items N   items per request   (1000)
  --help
`;

const { values } = readArguments(
  {
    options: {
      items: { type: 'string', default: '1000' },
      help: { type: 'boolean', default: false },
    },
  },
  HELP,
);
if (values.help) process.stdout.write(HELP);
else {
  const rig = await openPlatformsBench('all');
  try {
    const writer = await prepareWriter(rig);
    await single(writer, 20);
    await bulk(writer, Number(values.items));
    await single(writer, 100);
    await sameKey(writer, 50);
    await direct(writer, 200);
  } finally {
    await rig.close();
  }
}
