import { connectorFor } from '../connectors/index.js';
import type { OpenLink } from '../connect/find-link.js';
import type { TaskContext } from '../jobs/tasks.js';
import { withSeededIds } from '../runs/random-id.js';
import { addUpload } from '../writes/add-upload.js';
import { checkItem } from '../writes/checks/check-item.js';
import type { WriteEngine } from '../writes/engine.js';
import { runUpload } from '../writes/upload-job.js';
import { INTEGRATION } from './management.js';

const DATA_MODEL = 'JOURNAL_ENTRIES';

/** Writes a journal entry to the company's accounting platform, and one that it refuses, once. */
export async function writeSome(
  engine: WriteEngine,
  link: OpenLink,
  connectionId: number,
  worker: TaskContext,
): Promise<void> {
  const client = engine.database.client(link.scope);
  const svcCompanyId = BigInt(link.svcCompanyId);
  if ((await client.upload.count({ where: { svcCompanyId } })) > 0) return;
  const category = 'ACCOUNTING';
  const form = connectorFor(INTEGRATION, category).push?.resources.find(
    ({ definition }) => definition.dataModel === DATA_MODEL,
  )?.create;
  const accounts = await client.account.findMany({
    where: { svcCompanyId, status: 'ACTIVE' },
    orderBy: { svcId: 'asc' },
    take: 2,
  });
  if (!form) throw new Error(`${INTEGRATION} takes no ${DATA_MODEL}`);
  const items = ['10.50', '9.00'].map((credit, index) => {
    const item = {
      document_number: `DEMO-${index + 1}`,
      posted_date: '2026-01-05',
      description: 'Rent',
      journal_lines: accounts.map(({ platformId }, line) => ({
        account_id: platformId,
        type: line === 0 ? 'DEBIT' : 'CREDIT',
        net_amount: line === 0 ? '10.50' : credit,
      })),
    };
    const { value, problem, warnings } = checkItem(form, item);
    return { input: value ?? item, problem, warnings, file: null, record: null };
  });
  const upload = {
    svcCompanyId: link.svcCompanyId,
    connectionId,
    integrationType: INTEGRATION,
    category,
    dataModel: DATA_MODEL,
    operation: 'CREATE',
    items,
    waitMs: 0,
    idempotencyKey: null,
    requestHash: '',
  } as const;
  const sql = engine.database.sql(link.scope);
  const added = await withSeededIds('demo write', () => addUpload(sql, engine.log, upload));
  if (!added) return;
  const { organisationId } = link.scope;
  const payload = { organisationId, svcCompanyId: added.svcCompanyId, uploadSvcId: added.svcId };
  await runUpload(engine, payload, worker);
}
