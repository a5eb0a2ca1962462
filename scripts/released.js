// Compares the schema with the last released one, to detect breaking changes.
//   node scripts/released.js             exits with 1 if schema.graphql breaks the released schema
//   node scripts/released.js --release   stores schema.graphql as released, once CHANGELOG.md lists its breaking changes
import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';

const file = (name) => new URL(`../${name}`, import.meta.url);
const read = (name) => readFileSync(file(name), 'utf8');
const RELEASED = 'test/contract/released.graphql';

const current = read('schema.graphql');
const changes = findBreakingChanges(buildSchema(read(RELEASED)), buildSchema(current)).map(
  ({ description }) => description,
);

if (process.argv.includes('--release')) release();
else if (changes.length > 0) {
  fail(`schema.graphql breaks clients of the released schema (${RELEASED}):
${changes.map((change) => `- ${change}`).join('\n')}
Where that is meant, add the changes to CHANGELOG.md and run npm run schema:release.`);
}

/** CHANGELOG.md must quote every breaking change in its unreleased section. */
function release() {
  const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /m);
  const untold = changes.filter((change) => !unreleased.includes(change));
  if (untold.length > 0) {
    fail(`CHANGELOG.md does not tell of these changes in its first section:
${untold.map((change) => `- ${change}`).join('\n')}`);
  } else writeFileSync(file(RELEASED), current);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
