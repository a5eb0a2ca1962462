// Bundles all modules of the service and its commands into one file and compiles it: Node takes four times as long to
// find, read and compile two thousand modules. Launchers replace the entry modules in dist; the other modules stay
// there for importers.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundle, compile } from './bundling.js';
import { knownFlags } from './flags.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [source, dist] = [join(root, 'src'), join(root, 'dist')];

const entries = ['main', ...commands()];
bundle({ from: source, entries, dist });
for (const entry of entries) writeFileSync(join(dist, `${entry}.js`), launcher(entry));
// With the flags of `npm start`, and without flags for commands.
for (const flags of [knownFlags(), []]) compile({ dist, flags });

function commands() {
  return readdirSync(join(source, 'cli'))
    .filter((file) => /^void runProgram\(/m.test(readFileSync(join(source, 'cli', file), 'utf8')))
    .map((file) => `cli/${file.replace(/\.ts$/, '')}`);
}

function launcher(entry) {
  const launch = entry.includes('/') ? '../launch.js' : './launch.js';
  return `import { launch } from '${launch}';\n\nlaunch('${entry}');\n`;
}
