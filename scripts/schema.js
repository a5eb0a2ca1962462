// Keeps schema.graphql current.
//   node scripts/schema.js           writes the file
//   node scripts/schema.js --check   exits with 1 if it is not current
import { readFileSync, writeFileSync } from 'node:fs';
import { renderSchema } from './schema/render.js';

const FILE = new URL('../schema.graphql', import.meta.url);

const wanted = await renderSchema();
if (readFileSync(FILE, 'utf8') !== wanted) {
  if (process.argv.includes('--check')) {
    console.error('schema.graphql is not current: run npm run codegen');
    process.exitCode = 1;
  } else writeFileSync(FILE, wanted);
}
