// `npm run test:vendure`: see --help.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createRandom } from '../../../chaos/random.js';
import { differencesOf, stateOfService, stateOfShop } from './compare.js';
import { openGate } from './gate.js';
import { forgetVendure, installVendure } from './install.js';
import { killRound } from './kills.js';
import { readOptions } from './options.js';
import { startService } from './service.js';
import { startShop } from './shop.js';
import { steps } from './steps.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const say = (text) => process.stdout.write(`${text}\n`);
const tell = (text) => process.stderr.write(`vendure: ${text}\n`);
const closing = [];

async function stop(code) {
  for (const step of closing.splice(0).reverse()) await step();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop(130));

try {
  const options = readOptions(process.argv.slice(2));
  await stop(options && (await run(options)) > 0 ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  await stop(1);
}

/** Runs the suite that every connector passes, as far as a real server can be made to do what it needs. */
async function passesSuite() {
  await installVendure(tell);
  const child = spawn(process.execPath, [...JEST, '-c', 'jest.vendure.config.js'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  closing.push(() => child.kill());
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Returns the number of failed steps. */
async function run({ kills, seed, isFresh, withSuite }) {
  if (isFresh) forgetVendure();
  if (withSuite) {
    tell('running the suite of connectors against it (three minutes)');
    if (!(await passesSuite())) return 1;
  }
  const shop = await startShop(tell);
  closing.push(shop.stop);
  const gate = await openGate(shop.url);
  closing.push(gate.stop);
  const service = await startService(tell);
  closing.push(service.stop);
  const world = { shop, gate, service, random: createRandom(seed), companyId: null, orders: {} };

  const results = [];
  /** Reports the problems found by a step, and whether the service equals the shop. */
  const note = async (title, work) => {
    const began = Date.now();
    const problems = [];
    let compared = 0;
    try {
      problems.push(...(await work(world)));
      const there = await stateOfShop(shop);
      const here = await stateOfService({ ask: service.ask, companyId: world.companyId });
      const all = differencesOf(there, here);
      compared = all.compared;
      problems.push(...all.found);
    } catch (error) {
      problems.push(error.stack);
    }
    results.push({ title, compared, problems });
    const isFine = problems.length === 0;
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    say(`${isFine ? 'ok    ' : 'FAILED'} ${title} (${compared} records compared, ${seconds} s)`);
    for (const problem of problems.slice(0, 10)) say(`       ${problem}`);
    return isFine;
  };

  say(`seed ${seed}`);
  for (const [title, work] of steps) {
    // Later steps build on earlier ones.
    if (!(await note(title, work))) break;
  }
  if (results.every(({ problems }) => problems.length === 0)) {
    for (let round = 1; round <= kills; round += 1) {
      await note(`kill ${round}`, (own) => killRound(own, round));
    }
  }
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const records = results.reduce((all, { compared }) => all + compared, 0);
  say(`seed ${seed}`);
  say(
    `${results.length - failed} passed, ${failed} failed; ${records} records compared, ${service.worker.kills} kills`,
  );
  return failed;
}
