// Writes docs/openapi.json: the route descriptions of src/rest/description/, with requests and answers in docs/ as examples.
//   node scripts/openapi.js           writes it
//   node scripts/openapi.js --check   writes nothing, exits with 1 if it is not current
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DOCUMENTS, exchangesOf, WRITING_DOCUMENTS } from './documented-requests.js';
import { readArguments } from './read-arguments.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(root, 'docs/openapi.json');
const { check = false } = readArguments({ options: { check: { type: 'boolean' } } }).values;
/** Maximum length of lists in examples: more items add nothing. */
const MAX_ITEMS = 2;

const wanted = await createDocument();
if (read('docs/openapi.json') !== wanted) {
  if (check) {
    process.stderr.write('docs/openapi.json is not current: run npm run codegen\n');
    process.exitCode = 1;
  } else writeFileSync(path, wanted);
}

async function createDocument() {
  const { createExecutor } = await import('../dist/graphql/execute.js');
  const { createSchema } = await import('../dist/graphql/schema.js');
  const { DEFAULT_LIMITS: limits } = await import('../dist/limits.js');
  const { createRoutes } = await import('../dist/rest/routes/index.js');
  const { createOpenApi } = await import('../dist/rest/description/document.js');
  const schema = createSchema();
  const { version } = JSON.parse(read('package.json'));
  const routes = createRoutes(createExecutor(schema, { jit: false }), limits);
  const document = createOpenApi(routes, { schema, limits, version, examples: examples() });
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** By headings that name a method and a path: the first successful request below each. */
function examples() {
  const found = new Map();
  for (const name of [...DOCUMENTS, ...WRITING_DOCUMENTS]) {
    for (const { heading, request, answerLanguage, answer } of exchangesOf(read(name) ?? '')) {
      if (answerLanguage !== 'json' || !/^(GET|POST|PUT|DELETE) \//.test(heading) || found.has(heading))
        continue;
      if (!isRequestOf(heading, request)) continue;
      const body = JSON.parse(answer);
      if (body.error && !body.data) continue;
      const given = /-d '([^']*)'/.exec(request)?.[1];
      found.set(heading, { ...(given ? { request: JSON.parse(given) } : {}), answer: shortened(body) });
    }
  }
  return found;
}

/** Another request may come first below a heading, to provide an id. */
function isRequestOf(heading, request) {
  const [method, path] = heading.split(' ');
  const sent = /-X (\w+)/.exec(request)?.[1] ?? (/ -[dF] /.test(request) ? 'POST' : 'GET');
  const address = path
    .split(/\{\w+\}/)
    .map(escaped)
    .join("[^/?'\\s]+");
  return sent === method && new RegExp(`http://127.0.0.1:4000${address}(?:[?'\\s]|$)`, 'm').test(request);
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function shortened(value) {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

function read(name) {
  try {
    return readFileSync(join(root, name), 'utf8');
  } catch {
    return null;
  }
}
