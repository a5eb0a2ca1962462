// Stores batches alternately through the service's own operation and by a bare statement; prints the times as JSON.
import pg from 'pg';
import { connectDatabase } from '../../dist/db/database.js';
import { Login } from '../../dist/db/pool/login.js';
import { DEFAULT_LIMITS } from '../../dist/limits.js';
import { storeRecords } from '../../dist/store/store-records.js';
import { organisationScope } from '../../dist/db/scope.js';
import { billPayment } from '../../dist/records/index.js';
import { bareInsert, batchRows } from './bare.js';
import { createBatch } from './batch.js';

const url = process.env.DATABASE_URL;
const turns = Number(process.env.BENCH_TURNS);
const WARM_UP = 3;
/** Companies that nothing else reads. Both write to the same table, so it is equally full for both. */
const OURS = { svcCompanyId: 1019, connectionId: 2019, organisation: 4 };
const BARE = { svcCompanyId: 1020, connectionId: 2020, organisation: 4 };

const database = await connectDatabase(
  new Login([url]),
  { poolSize: 10, limits: DEFAULT_LIMITS },
  { onError: () => {} },
);
const bare = new pg.Client({ connectionString: url, application_name: 'bench-bare', options: '-c jit=off' });
await bare.connect();
const sql = database.sql(organisationScope(OURS.organisation));

async function store(records, expected) {
  const counts = await storeRecords(sql, {
    definition: billPayment,
    svcCompanyId: OURS.svcCompanyId,
    connectionId: OURS.connectionId,
    integrationType: 'XERO',
    cause: { kind: 'sync', id: null },
    records,
  });
  if (counts[expected] !== records.length) throw new Error(`not all ${expected}: ${JSON.stringify(counts)}`);
}

const times = { bare: [], created: [], unchanged: [], changed: [] };
const cpu = { bare: [], created: [], unchanged: [], changed: [] };
async function timed(name, turn, work) {
  const start = process.hrtime.bigint();
  const used = process.cpuUsage();
  await work();
  if (turn < WARM_UP) return;
  times[name].push(Number(process.hrtime.bigint() - start) / 1e6);
  const { user, system } = process.cpuUsage(used);
  cpu[name].push((user + system) / 1000);
}

try {
  for (let turn = 0; turn < turns + WARM_UP; turn += 1) {
    const records = createBatch(turn, 0);
    const changed = createBatch(turn, 1);
    // The rows of the bare insert are prepared text, so that only the database works.
    const rows = batchRows(records);
    await timed('bare', turn, () => bareInsert(bare, BARE, rows));
    await timed('created', turn, () => store(records, 'created'));
    await timed('unchanged', turn, () => store(records, 'unchanged'));
    await timed('changed', turn, () => store(changed, 'updated'));
  }
  console.log(JSON.stringify({ times, cpu, memory: process.memoryUsage().rss / 1048576 }));
} finally {
  // Restores the data for the next run.
  await bare.query(
    `DELETE FROM bill_payments WHERE svc_company_id IN (1019, 1020) AND platform_id LIKE 'ingest-%'`,
  );
  await bare.query('DELETE FROM record_changes WHERE svc_organisation_id = 4');
  await bare.query('DELETE FROM change_heads WHERE svc_organisation_id = 4');
  await bare.query('VACUUM ANALYZE bill_payments, record_changes, change_heads');
  await bare.end();
  await database.close();
}
