import { expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';
import { startCommand } from '../support/process.js';

const SCRIPT = `
  import { createLog } from './log.js';
  const log = createLog('warn');
  for (let line = 0; line < 3; line += 1) {
    log.warn('nowhere to go');
    await new Promise(setImmediate);
  }
  console.log('still here');
`;

test('a process whose log is on a full disk goes on', async () => {
  const run = startCommand(
    'sh',
    ['-c', 'exec "$0" --input-type=module --eval "$1" 2>/dev/full', process.execPath, SCRIPT],
    { cwd: packagePath('dist/telemetry') },
  );
  expect(await run.ended).toMatchObject({ code: 0, stdout: 'still here\n' });
});
