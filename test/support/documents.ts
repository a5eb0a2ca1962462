import type { App } from '../../src/app.js';
import type { ConnectedAccount } from '../../src/connect/store-connection.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { control, createSandboxTenant, engineOf, type SandboxTenant } from './sandbox.js';
import { type Caller, createCaller } from './service.js';
import { admin } from './admin.js';

/** A stored document. */
export interface StoredDocument {
  readonly svcId: number;
  readonly platformId: string;
  readonly fileName: string;
  readonly uploaded: boolean;
}

/** A company with files at the sandbox, and the means to download them. */
export interface DocumentTenant extends SandboxTenant {
  readonly connected: ConnectedAccount;
  readonly caller: Caller & { readonly key: string };
  /** Attaches a file at the platform, to be read by the next sync. Returns its platform id. */
  attach(content: Buffer, fileName?: string, contentType?: string): Promise<string>;
  syncDocuments(): Promise<void>;
  /** The documents with a file at the platform, oldest first, or those without one. */
  documents(withFile?: boolean): Promise<StoredDocument[]>;
  document(platformId: string): Promise<StoredDocument>;
  download(document: { readonly svcId: number } | string): ReturnType<Caller['get']>;
  /** Number of requests for file contents since the platform's counters were reset. */
  fetches(): Promise<number>;
}

export async function createDocumentTenant(app: App, sandbox: Sandbox): Promise<DocumentTenant> {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, {
    records: 40,
    platforms: ['accounting'],
  });
  const connected = await tenant.connect('ACCOUNTING');
  const caller = await createCaller(app, tenant.organisationId);
  const syncDocuments = async () => void (await tenant.sync(connected, { dataModels: ['DOCUMENTS'] }));
  await syncDocuments();
  const all = async (): Promise<StoredDocument[]> => {
    const { rows } = await admin.pool.query(
      `SELECT svc_id::int AS "svcId", platform_id AS "platformId", file_name AS "fileName",
         document_uploaded AS uploaded, (raw_data->>'Uploaded')::boolean AS "hasFile"
       FROM documents WHERE svc_company_id = $1 ORDER BY svc_id`,
      [tenant.companyId],
    );
    return rows;
  };
  const platformToken = async () => {
    const scope = 'read write';
    const request = { platform: 'accounting', account: tenant.account, scope };
    return (await control(sandbox, 'POST', '/tokens', request)).access_token as string;
  };
  return {
    ...tenant,
    connected,
    caller,
    syncDocuments,
    attach: async (content, fileName = 'attached.bin', contentType = 'application/octet-stream') => {
      const api = `${sandbox.url}/accounting/api/2`;
      const headers = {
        authorization: `Bearer ${await platformToken()}`,
        'sandbox-company': tenant.account,
      };
      const invoices: any = await (await fetch(`${api}/SalesInvoices?pageSize=1`, { headers })).json();
      const parent = `${api}/SalesInvoices/${invoices.SalesInvoices[0].Guid}`;
      const answer = await fetch(`${parent}/Attachments?fileName=${encodeURIComponent(fileName)}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': contentType },
        body: content,
      });
      const body: any = await answer.json();
      if (answer.status !== 201) throw new Error(JSON.stringify(body));
      return body.Attachments[0].Guid;
    },
    documents: async (withFile = true) =>
      (await all()).filter((one) => (one as unknown as { hasFile: boolean }).hasFile === withFile),
    document: async (platformId) => {
      const found = (await all()).find((one) => one.platformId === platformId);
      if (!found) throw new Error('there is no such document');
      return found;
    },
    download: (document) =>
      caller.get(
        `/v3/download_document/${typeof document === 'string' ? document : document.svcId}?svc_company_id=${tenant.companyId}`,
      ),
    fetches: async () => {
      const { requests } = await control(sandbox, 'GET', '/statistics');
      return requests
        .filter(
          (one: any) => one.account === tenant.account && one.path === '/api/2/Attachments/:guid/content',
        )
        .reduce((sum: number, one: any) => sum + one.requests, 0);
    },
  };
}
