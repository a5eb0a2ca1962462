// Writes all generated files: schema.graphql, Prisma's client, resolver types, docs/ pages made from code,
// docs/openapi.json and .env.example.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.js';

const HELP = `Writes all generated files: schema.graphql from src/graphql/schema/, Prisma's
client, the types of the resolvers, docs/limits.md, docs/errors.md, docs/openapi.json and .env.example.

  npm run codegen              writes all files
  npm run codegen -- --types   only what the compiler needs, not the pages of docs/
  npm run codegen -- --check   writes no committed file, exits with 1 if one is out of date
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions();
if (options.help) process.stdout.write(HELP);
else process.exitCode = (options.check ? check() : write()) ? 0 : 1;

/** Prisma's client, resolver types and client types are not committed: they are generated if they are not current. */
function check() {
  if (!node('scripts/ensure.js') || !node('scripts/client.js', '--types')) return false;
  return [
    node('scripts/schema.js', '--check'),
    node('dist/cli/docs.js', '--check'),
    node('scripts/openapi.js', '--check'),
    node('scripts/env-example.js', '--check'),
  ].every(Boolean);
}

/** scripts/ensure.js knows how to run Prisma and GraphQL Code Generator. */
function write() {
  if (!node('scripts/schema.js')) return false;
  if (options.types) return node('scripts/ensure.js', '--renew', '--until', 'graphql codegen');
  return (
    node('scripts/ensure.js', '--renew') &&
    node('dist/cli/docs.js') &&
    node('scripts/openapi.js') &&
    node('scripts/env-example.js') &&
    node('scripts/client.js', '--types')
  );
}

function node(...args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function readOptions() {
  const flag = { type: 'boolean' };
  return readArguments({ options: { help: { ...flag, short: 'h' }, check: flag, types: flag } }, HELP).values;
}
