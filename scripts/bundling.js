// How the service is bundled: all its modules and packages in one compiled file, which src/launch.ts runs.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

/** Rarely used packages stay external. */
const BUNDLING = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: [
    '@aws-sdk/*',
    // Not its api, which every process loads, and whose copies share what is registered with one of them.
    ...['context-async-hooks', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'].map(
      (name) => `@opentelemetry/${name}`,
    ),
    '@prisma/client/runtime/query_compiler*',
    // Only used for TypeScript configuration files.
    'typescript',
  ],
  // Messages and checks use the names of classes and functions.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
};

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

/** Bundles entries, module paths in the folder `from`, into `service.cjs` in the folder `dist`. */
export function bundle({ from, entries, dist }) {
  const importOf = (name) => `import('./${name}.js')`;
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        export const entries = { ${entries.map((name) => `'${name}': () => ${importOf(name)}`).join(', ')} };
        export const load = () => Promise.all([${PARTS.map(importOf).join(', ')}]);`,
      resolveDir: from,
    },
    ...BUNDLING,
    absWorkingDir: from,
    write: false,
    format: 'cjs',
    // Removes comments, which may mention imports.
    minifyWhitespace: true,
    lineLimit: 200,
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: HEAD },
    footer: { js: FOOT },
  });
  writeFileSync(join(dist, 'service.cjs'), withImports(outputFiles[0].text));
}

/** Code loaded from a compiled script cannot resolve `import`, so it calls a function passed in instead. */
function withImports(text) {
  const importing = text.replaceAll(/\bawait import\(/g, 'await importModule(');
  const [other] = /^.*(?<![.\w$])import\(.*$/m.exec(importing) ?? [];
  if (other) throw new Error(`scripts/bundling.js knows no such import: ${other.trim()}`);
  return importing;
}

/** Compiles the bundle for starts with these flags of V8. */
export function compile({ dist, flags }) {
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
