// Bundles all modules of the service and its commands into one file and compiles it: Node takes four times as long to
// find, read and compile two thousand modules. Launchers replace the entry modules in dist; the other modules stay
// there for importers.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { BUNDLING } from './bundling.js';
import { knownFlags } from './flags.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [source, dist] = [join(root, 'src'), join(root, 'dist')];

/** Parts that entries import on demand: their code is compiled with the rest. */
const PARTS = [
  'start/start',
  'app',
  'worker/worker',
  'demo/start',
  'cli/database',
  'data/refresh',
  'mcp/server',
];

/** The parameters that src/launch.ts passes. */
const HEAD = `(function (require, module, __filename, importModule) {
const __dirname = require('node:path').dirname(__filename), moduleUrl = require('node:url').pathToFileURL(__filename).href;
`;
const FOOT = '})';

const entries = ['main', ...commands()];
writeFileSync(join(dist, 'service.cjs'), withImports(await bundled()));
for (const entry of entries) writeFileSync(join(dist, `${entry}.js`), launcher(entry));
// With the flags of `npm start`, and without flags for commands.
for (const flags of [knownFlags(), []]) compile(flags);

function commands() {
  return readdirSync(join(source, 'cli'))
    .filter((file) => /^void runProgram\(/m.test(readFileSync(join(source, 'cli', file), 'utf8')))
    .map((file) => `cli/${file.replace(/\.ts$/, '')}`);
}

async function bundled() {
  const importOf = (name) => `import('./${name}.js')`;
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export const entries = { ${entries.map((name) => `'${name}': () => ${importOf(name)}`).join(', ')} };
        export const load = () => Promise.all([${PARTS.map(importOf).join(', ')}]);`,
      resolveDir: source,
    },
    ...BUNDLING,
    absWorkingDir: root,
    write: false,
    format: 'cjs',
    // Removes comments, which may mention imports.
    minifyWhitespace: true,
    lineLimit: 200,
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: HEAD },
    footer: { js: FOOT },
  });
  return outputFiles[0].text;
}

/** Code loaded from a compiled script cannot resolve `import`, so it calls a function passed in instead. */
function withImports(text) {
  const importing = text.replaceAll(/\bawait import\(/g, 'await importModule(');
  const [other] = /^.*(?<![.\w$])import\(.*$/m.exec(importing) ?? [];
  if (other) throw new Error(`scripts/bundle.js knows no such import: ${other.trim()}`);
  return importing;
}

function launcher(entry) {
  const launch = entry.includes('/') ? '../launch.js' : './launch.js';
  return `import { launch } from '${launch}';\n\nlaunch('${entry}');\n`;
}

function compile(flags) {
  const { status } = spawnSync(
    process.execPath,
    [
      ...flags,
      '--input-type=module',
      '--eval',
      `import { writeCompiled } from './launch.js'; await writeCompiled();`,
    ],
    { cwd: dist, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('the bundle could not be compiled');
}
