// Keeps the documents current: writes the answers below their requests, and the reference of record types.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.js';

const HELP = `Sends the requests in README.md, docs/graphql.md, docs/changes.md, docs/fields.md, docs/rest.md, docs/connecting.md and
docs/writing.md to new services with demo data, and writes the answers below them. Also writes the second half of
docs/rest.md, from the definitions of record types.

  npm run docs              updates what is out of date
  npm run docs -- --check   writes nothing, exits with 1 if a document is out of date
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions();
if (options.help) process.stdout.write(HELP);
else await run(options.check ?? false);

async function run(check) {
  const { API_KEY, DOCUMENTS, SETTINGS, WRITING_DOCUMENTS } = await import('./documented-requests.js');
  const { readConfig } = await import('../dist/config/config.js');
  const { integrationTypes } = await import('../dist/connectors/index.js');
  const { createLog } = await import('../dist/telemetry/log.js');
  const { startService } = await import('../dist/start/start.js');
  const renewAll = async (names, settings, writes) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-docs-'));
    try {
      const config = readConfig(
        { DATA_DIR: dataDir, PORT: '0', DEMO_API_KEY: API_KEY, ...settings },
        integrationTypes,
      );
      const service = await startService(config, createLog('error'));
      try {
        const target = { url: service.app.url, sandboxUrl: service.sandboxUrl };
        for (const name of names) await renew(name, target, { check, writes });
      } finally {
        await service.stop();
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  };
  await renewAll(DOCUMENTS, SETTINGS, false);
  await renewAll(WRITING_DOCUMENTS, {}, true);
}

async function renew(name, target, { check, writes }) {
  const path = join(root, name);
  const found = readFileSync(path, 'utf8');
  const wanted = await format(await withAnswers(await withReference(name, found), target, writes), path);
  if (wanted === found) return;
  if (check) {
    process.stderr.write(`${name} is not current: run npm run docs\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, wanted);
    process.stdout.write(`${name} is written\n`);
  }
}

async function withReference(name, document) {
  if (name !== 'docs/rest.md') return document;
  const { withRecordTypes } = await import('./record-reference.js');
  const { lineTypes, records } = await import('../dist/records/index.js');
  const { expandable } = await import('../dist/rest/shape.js');
  const schema = readFileSync(join(root, 'schema.graphql'), 'utf8');
  return withRecordTypes(document, { records, lineTypes, expandable, schema });
}

/** A current answer stays as it is, with the times and random ids of its original run. */
async function withAnswers(document, target, writes) {
  const { exchangesOf, isCurrent, sendAll, withExchange } = await import('./documented-requests.js');
  const documented = exchangesOf(document, writes);
  const sent = await sendAll(documented, target);
  // From the end, so that earlier positions stay valid.
  return documented.reduceRight(
    (text, exchange, index) =>
      isCurrent(exchange, sent[index]) ? text : withExchange(text, exchange, sent[index]),
    document,
  );
}

async function format(document, path) {
  const prettier = await import('prettier');
  return prettier.format(document, { ...(await prettier.resolveConfig(path)), filepath: path });
}

function readOptions() {
  const flag = { type: 'boolean' };
  return readArguments({ options: { help: { ...flag, short: 'h' }, check: flag } }, HELP).values;
}
