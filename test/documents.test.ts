import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  addressed,
  API_KEY,
  comparable,
  DOCUMENTS,
  type Exchange,
  exchangesOf,
  paste,
  SETTINGS,
  WRITING_DOCUMENTS,
} from '../scripts/documented-requests.js';
import { withRecordTypes } from '../scripts/record-reference.js';
import { readConfig } from '../src/config/config.js';
import { integrationTypes } from '../src/connectors/index.js';
import { createExecutor } from '../src/graphql/execute.js';
import { createSchema } from '../src/graphql/schema.js';
import { DEFAULT_LIMITS } from '../src/limits.js';
import { createLog } from '../src/telemetry/log.js';
import { packagePath } from '../src/package-path.js';
import { lineTypes, records } from '../src/records/index.js';
import { createRoutes } from '../src/rest/routes/index.js';
import { expandable } from '../src/rest/shape.js';
import { type Service, startService } from '../src/start/start.js';

const read = (name: string) => readFileSync(packagePath(name), 'utf8');
const texts = new Map([...DOCUMENTS, ...WRITING_DOCUMENTS].map((name) => [name, read(name)]));
const exchanges = new Map(
  [...texts].map(([name, text]) => [name, exchangesOf(text, WRITING_DOCUMENTS.includes(name))]),
);
const sent = new Map<string, readonly Exchange[]>();

/** Pastes requests into a fresh start, one after the other, as they stand in the documents. */
async function pasteAll(
  pasted: readonly Exchange[],
  settings: Readonly<Record<string, string>>,
): Promise<Exchange[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-documents-'));
  let service: Service | undefined;
  try {
    const config = readConfig(
      { DATA_DIR: dataDir, PORT: '0', DEMO_API_KEY: API_KEY, ...settings },
      integrationTypes,
    );
    service = await startService(config, createLog('silent'));
    const target = { url: service.app?.url ?? '', sandboxUrl: service.sandboxUrl ?? '' };
    const answered: Exchange[] = [];
    for (const exchange of pasted) answered.push(await paste(exchange, target));
    return answered;
  } finally {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

beforeAll(async () => {
  for (const [names, settings] of [
    [DOCUMENTS, SETTINGS],
    [WRITING_DOCUMENTS, {}],
  ] as const) {
    const answered = await pasteAll(
      names.flatMap((name) => exchanges.get(name) ?? []),
      settings,
    );
    for (const name of names) sent.set(name, answered.splice(0, exchanges.get(name)?.length));
  }
});

describe.each([...exchanges])('%s', (name, documented) => {
  const titled = documented.map((exchange, index) => [index + 1, exchange.heading, exchange] as const);
  test.each(titled)('request %d, below "%s", answers what is printed there', (number, _heading, exchange) => {
    const answered = sent.get(name)?.[number - 1];
    if (!answered) throw new Error('nothing was sent');
    const both = comparable(exchange, answered);
    expect(both.sent).toEqual(both.documented);
  });

  test('prints an answer below every request', () => {
    const requests = texts.get(name)?.match(/^```(sh\ncurl |graphql\n)/gm) ?? [];
    expect(documented).toHaveLength(requests.length);
  });
});

test('a port that begins like a documented one is left whole', () => {
  const target = { url: 'http://127.0.0.1:40013', sandboxUrl: 'http://127.0.0.1:38867' };
  const documented = 'curl http://127.0.0.1:4000/v3 http://127.0.0.1:4001/admin http://127.0.0.1:40001/';
  expect(addressed(documented, target)).toBe(
    'curl http://127.0.0.1:40013/v3 http://127.0.0.1:38867/admin http://127.0.0.1:40001/',
  );
});

test('every request that succeeds where it is printed succeeds in any order', async () => {
  const seed = jest.getSeed();
  const place = (text: string) => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  const shuffled = [...exchanges.values()]
    .flat()
    .map((exchange) => ({ exchange, at: place(`${exchange.heading} ${exchange.at}`) }))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ exchange }) => exchange);
  const answered = await pasteAll(shuffled, {});
  const refused = answered
    .map(({ heading, answer }, index) => ({ heading, answer, printed: shuffled[index]?.answer ?? '' }))
    .filter(({ answer, printed }) => isRefusal(answer) && !isRefusal(printed))
    .map(({ heading, answer }) => ({ heading, answer: answer.slice(0, 500) }));
  expect({ seed, refused }).toEqual({ seed, refused: [] });
});

/** In either style, or nothing at all. */
function isRefusal(answer: string): boolean {
  try {
    const body = JSON.parse(answer) as { error?: unknown; errors?: unknown };
    return body.error !== undefined || body.errors !== undefined;
  } catch {
    return answer.trim() === '' || /^[45]\d\d\b/.test(answer);
  }
}

test('the README has a tour', () => {
  const requests = (exchanges.get('README.md') ?? []).map(({ request }) => request).join('\n');
  for (const path of ['/v3/accounting/', '/v3/payments/', '/v3/ecommerce/', '/graphql', '/all']) {
    expect(requests).toContain(path);
  }
});

test('docs/graphql.md has twenty queries or more', () => {
  const queries = new Set((exchanges.get('docs/graphql.md') ?? []).map(({ request }) => request));
  expect(queries.size).toBeGreaterThanOrEqual(20);
});

describe('docs/rest.md and docs/writing.md', () => {
  const executor = createExecutor(createSchema(), { jit: false });
  const routes = createRoutes(executor, DEFAULT_LIMITS).map(({ method, path }) => [method, path] as const);

  test.each(routes)('have a request to %s %s under a heading of its own', (method, path) => {
    const heading = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
    // Addresses of files are made up: the request takes one from an answer, by a pattern.
    const address = new RegExp(
      `http://127.0.0.1:4000${path.replace(/:\w+/g, String.raw`(?:\w+|\[\^"\]\*)`)}(?:[?'\\s]|$)`,
      'm',
    );
    const found = ['docs/rest.md', 'docs/writing.md']
      .flatMap((name) => exchanges.get(name) ?? [])
      .filter((exchange) => exchange.heading === heading);
    expect(found.map(({ request }) => request)).toContainEqual(expect.stringMatching(address));
  });

  test('have the reference that follows from the record definitions', () => {
    const document = texts.get('docs/rest.md') ?? '';
    const written = withRecordTypes(document, {
      records,
      lineTypes,
      expandable,
      schema: read('schema.graphql'),
    });
    expect(words(written)).toEqual(words(document));
  });
});

/** Lines without the padding of tables. */
const words = (document: string): string[] =>
  document
    .split('\n')
    .map((line) => line.trim().replace(/-{3,}/g, '---').replace(/ {2,}/g, ' '))
    .filter((line) => line !== '');
