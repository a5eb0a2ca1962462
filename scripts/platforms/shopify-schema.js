/**
 * The schema of Shopify's GraphQL Admin API, as Shopify publishes it in an npm package: the answer to an introspection
 * query. It comes into a cache folder and is never a dependency of the project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { CACHE, npm, onceInto, run } from './cache.js';

/** Contains the schema of 2026-10. */
const PACKAGE = '@shopify/dev-mcp@1.16.0';
const SCHEMA_PATH = 'package/dist/data/admin_2026-10.json.gz';

/**
 * @returns {Promise<string>} the file with the schema
 */
export async function fetchShopifySchema() {
  const file = join(CACHE, 'shopify-admin-2026-10.json');
  await onceInto(file, async (folder) => {
    process.stderr.write('platforms: fetching the schema of Shopify (14 MB, once)\n');
    const { stdout } = await npm(['pack', PACKAGE, '--pack-destination', folder, '--json'], folder);
    const [{ filename }] = JSON.parse(stdout);
    await run('tar', ['-xzf', join(folder, filename), '-C', folder, SCHEMA_PATH]);
    const made = join(folder, 'schema.json');
    writeFileSync(made, gunzipSync(readFileSync(join(folder, SCHEMA_PATH))));
    return made;
  });
  return file;
}
