// `npm run bench:webhooks`: see --help.
import { openPlatformsBench } from '../platforms-rig.js';
import { latency, prepareSender, syncing, throughput } from './experiments.js';
import { readArguments } from '../../scripts/read-arguments.js';

const HELP = `Measures webhooks; service and database run in separate processes, the receiver in this one.

  npm run bench:webhooks                    events per second to a fast receiver; time from commit to delivery; the cost of
                                            a sync with ten webhooks and without
  npm run bench:webhooks -- --events 5000

  --events N   events to send at full speed   (20000)
  --help
`;

const { values } = readArguments(
  {
    options: {
      events: { type: 'string', default: '20000' },
      help: { type: 'boolean', default: false },
    },
  },
  HELP,
);
if (values.help) process.stdout.write(HELP);
else {
  const rig = await openPlatformsBench('all', { ALLOW_PRIVATE_ADDRESSES: 'true' });
  try {
    await syncing(rig, 10_000, 3);
    const sender = await prepareSender(rig);
    await throughput(sender, Number(values.events));
    await latency(sender, 200);
    await sender.close();
  } finally {
    await rig.close();
  }
}
