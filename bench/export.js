// Measures exports: see HELP. Service, database and reader share this machine, with a new database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../dist/config/config.js';
import { integrationTypes } from '../dist/connectors/index.js';
import { connectOwner } from '../dist/db/database.js';
import { startEmbedded } from '../dist/db/embedded/index.js';
import { Login } from '../dist/db/pool/login.js';
import { migrate } from '../dist/db/migrations/index.js';
import { createLog } from '../dist/telemetry/log.js';
import { createApiKey } from '../dist/operations/keys/api-keys.js';
import { createOrganisation } from '../dist/operations/organisations/organisations.js';
import { startService } from '../dist/start/start.js';
import { readArguments } from '../scripts/read-arguments.js';

const HELP = `Stores invoices with two lines each and exports them as JSONL and CSV, uncompressed and compressed.

  node bench/export.js
  node bench/export.js --records 100000
`;

const { values } = readArguments(
  {
    options: {
      records: { type: 'string', default: '100000' },
      help: { type: 'boolean', default: false },
    },
  },
  HELP,
);
if (values.help) process.stdout.write(HELP);
else await main(Number(values.records));

async function main(count) {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-export-'));
  const embedded = await startEmbedded({ dataDir });
  try {
    await migrate(embedded.url);
    const key = await store(embedded.url, count);
    const settings = { DATABASE_URL: embedded.url, DATA_DIR: dataDir, PORT: '0', ROLE: 'gateway' };
    const service = await startService(readConfig(settings, integrationTypes), createLog('error'));
    try {
      await measure(service.app.url, key, count);
    } finally {
      await service.stop();
    }
  } finally {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(url, key, count) {
  for (const [format, encoding] of [
    ['jsonl', 'identity'],
    ['jsonl', 'identity'],
    ['jsonl', 'gzip'],
    ['csv', 'identity'],
  ]) {
    const began = performance.now();
    const answer = await fetch(`${url}/v3/core/export?data_models=INVOICES&format=${format}`, {
      headers: { api_key: key, 'accept-encoding': encoding },
    });
    let [bytes, lines] = [0, 0];
    for await (const part of answer.body) {
      bytes += part.length;
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const records = lines - (format === 'csv' ? 1 : 0);
    if (records !== count) throw new Error(`${records} of ${count} records arrived`);
    const size = `${Math.round(bytes / 1e6)} MB`;
    const memory = `${Math.round(process.memoryUsage().rss / 1e6)} MB resident`;
    process.stdout.write(`${format} ${encoding}: ${seconds} s, ${size}, ${memory}\n`);
  }
}

/** By SQL: only reading is measured. */
async function store(url, count) {
  const owner = connectOwner(new Login([url]));
  const { svcId } = await createOrganisation(owner.prisma, 'Export');
  const key = await createApiKey(owner.prisma, { organisationId: svcId, name: 'bench', scopes: ['read'] });
  await owner.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO companies (svc_organisation_id, name, base_currency_code, svc_created_at, svc_updated_at)
     VALUES ($1, 'Export', 'AUD', now(), now())`,
    [svcId],
  );
  await client.query(
    `INSERT INTO connections (svc_organisation_id, svc_company_id, integration_type, category, external_account_id,
       status, svc_created_at, svc_updated_at)
     SELECT svc_organisation_id, svc_id, 'SVC_SANDBOX', 'ACCOUNTING', 'bench', 'HEALTHY', now(), now() FROM companies`,
  );
  await client.query(
    `INSERT INTO invoices (svc_organisation_id, svc_company_id, connection_id, svc_integration_type, platform_id,
       svc_created_at, svc_updated_at, raw_data, data_hash, mapper_version, contact_id, currency_id, document_number,
       posted_date, due_date, memo, status, sub_total, tax_amount, total_amount, amount_due, sales_order_ids, updated_at)
     SELECT c.svc_organisation_id, c.svc_company_id, c.svc_id, 'SVC_SANDBOX', gen_random_uuid(), now(), now(), '{}', 'x',
       1, gen_random_uuid(), gen_random_uuid(), 'INV-' || n, '2026-01-31', '2026-02-28', 'Services in January', 'PAID',
       n / 100.0, n / 1000.0, n / 90.0, 0, '{}', now()
     FROM connections c, generate_series(1, $1::int) n`,
    [count],
  );
  await client.query(
    `INSERT INTO line_items (svc_organisation_id, svc_company_id, connection_id, parent_svc_id, position, platform_id,
       account_id, item_id, tax_id, description, quantity, unit_amount, sub_total, tax_amount, total_amount,
       tracking_category_ids)
     SELECT svc_organisation_id, svc_company_id, connection_id, svc_id, n, gen_random_uuid(), gen_random_uuid(),
       gen_random_uuid(), gen_random_uuid(), 'Hours', 2, sub_total, sub_total * 2, tax_amount, total_amount, '{}'
     FROM invoices, generate_series(1, 2) n`,
  );
  await client.query('VACUUM ANALYZE invoices');
  await client.query('VACUUM ANALYZE line_items');
  await client.end();
  return key.key;
}
