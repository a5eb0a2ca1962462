import type { App } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { integrationTypes } from '../../src/connectors/index.js';
import type { ConnectedAccount } from '../../src/connect/store-connection.js';
import type { Worker } from '../../src/jobs/worker.js';
import { createLog } from '../../src/telemetry/log.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { createWorker } from '../../src/worker/worker.js';
import { createSandboxTenant, engineOf, type SandboxTenant, testSecrets } from './sandbox.js';
import {
  type Answer,
  type Caller,
  createCaller,
  testDatabaseUrl,
  testLogin,
  testFileDir,
} from './service.js';
import { until } from './until.js';

/** A company whose books were read from the sandbox, and ids for write items to refer to. */
export interface Writing {
  readonly tenant: SandboxTenant;
  readonly connected: ConnectedAccount;
  readonly caller: Caller & { readonly key: string };
  readonly companyId: number;
  /** Platform ids by readable names. */
  readonly ids: {
    readonly bank: string;
    readonly rent: string;
    readonly sales: string;
    readonly customer: string;
    readonly vendor: string;
    readonly product: string;
    readonly tax: string;
    readonly invoice: string;
    readonly bill: string;
  };
  /** A journal entry of this amount. */
  readonly journal: (amount: unknown, more?: object) => object;
  write(path: string, items: readonly unknown[], more?: object): Promise<Answer>;
  /** Waits until every item of an upload has its result. */
  untilOver(uploadId: string): Promise<Upload>;
}

export interface Upload {
  readonly status: string;
  readonly data: readonly any[];
}

export async function startWorker(
  sandbox: Pick<Sandbox, 'url'>,
  settings: Readonly<Record<string, string>> = {},
  log = createLog('silent'),
): Promise<Worker> {
  const config = readConfig(
    {
      DATABASE_URL: testDatabaseUrl(),
      WORKER_CONCURRENCY: '4',
      FILE_DIR: testFileDir(),
      ...settings,
    },
    integrationTypes,
  );
  return createWorker({
    config,
    login: testLogin(config.databaseUrl ?? testDatabaseUrl(), config.databaseDirectUrl),
    ownerUrl: testDatabaseUrl(),
    secrets: testSecrets,
    urls: { SVC_SANDBOX: sandbox.url },
    log,
  });
}

export async function createWriting(app: App, sandbox: Sandbox): Promise<Writing> {
  const engine = engineOf(app, sandbox.url);
  const tenant = await createSandboxTenant(engine, sandbox, { platforms: ['accounting'] });
  const connected = await tenant.connect('ACCOUNTING');
  await tenant.sync(connected);
  const caller = await createCaller(app, tenant.organisationId);
  const { companyId } = tenant;
  const one = async (path: string, filter: string) => {
    const { body } = await caller.get(
      `/v3/accounting/${path}?svc_company_id[eq]=${companyId}&limit=1&${filter}`,
    );
    return String(body.data[0].platform_id);
  };
  const ids = {
    bank: await one('accounts', 'nominal_code[eq]=1010'),
    rent: await one('accounts', 'nominal_code[eq]=6100'),
    sales: await one('accounts', 'nominal_code[eq]=4100'),
    customer: await one('contacts', 'contact_type[eq]=CUSTOMER'),
    vendor: await one('contacts', 'contact_type[eq]=VENDOR'),
    product: await one('items', 'status[eq]=ACTIVE'),
    tax: await one('tax_rates', 'code[eq]=AU-GST'),
    invoice: await one('invoices', 'status[eq]=SUBMITTED'),
    bill: await one('bills', 'status[eq]=SUBMITTED'),
  };
  return {
    tenant,
    connected,
    caller,
    companyId,
    ids,
    journal: (amount, more = {}) => ({
      journal_lines: [
        { account_id: ids.rent, type: 'DEBIT', net_amount: amount },
        { account_id: ids.bank, type: 'CREDIT', net_amount: amount },
      ],
      ...more,
    }),
    write: (path, data, more = {}) => caller.post(path, { company_id: companyId, data, ...more }),
    untilOver: (uploadId) =>
      until(`the end of upload ${uploadId}`, async () => {
        const upload = (await caller.get(`/v3/core/uploads/${uploadId}`)).body.data as Upload;
        return upload.status === 'PENDING' ? null : upload;
      }),
  };
}
