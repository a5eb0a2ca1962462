import { describe, expect, test } from '@jest/globals';

import { type DownloadRequest, type PlatformClient } from '../../../src/connectors/platform.js';
import { xeroFiles } from '../../../src/connectors/xero/files.js';

const LIMITS = { timeoutMs: 1000, maxBytes: 1000 };

function listening() {
  const asked: [string, DownloadRequest][] = [];
  const never = () => Promise.reject(new Error('files are only downloaded'));
  const client: PlatformClient = {
    get: never,
    read: never,
    send: never,
    download: async (path, request) => {
      asked.push([path, request]);
      return null;
    },
  };
  return { client, asked };
}

describe('the file of a Xero attachment', () => {
  test.each([
    [{ Invoice: { Type: 'ACCREC', InvoiceID: 'inv-1' } }, '/Invoices/inv-1/Attachments/att-1'],
    [{ CreditNote: { Type: 'ACCPAYCREDIT', CreditNoteID: 'cn' } }, '/CreditNotes/cn/Attachments/att-1'],
    [{ PurchaseOrder: { PurchaseOrderID: 'a/b' } }, '/PurchaseOrders/a%2Fb/Attachments/att-1'],
    [{ ManualJournal: { ManualJournalID: 'mj' } }, '/ManualJournals/mj/Attachments/att-1'],
  ])('is fetched below its record: %j', async (rawData, path) => {
    const { client, asked } = listening();
    const document = { platformId: 'att-1', rawData, fileType: 'application/pdf' };
    expect(await xeroFiles.fetch(client, document, LIMITS)).toBeNull();
    const headers = { accept: 'application/pdf', contenttype: 'application/pdf' };
    expect(asked).toEqual([[path, { ...LIMITS, headers }]]);
  });

  test('is asked for as bytes where its type is no MIME type, and not at all without its record', async () => {
    const { client, asked } = listening();
    const rawData = { Invoice: { InvoiceID: 'inv-1' } };
    for (const fileType of [null, 'pdf', 'a/b\r\nx: y']) {
      await xeroFiles.fetch(client, { platformId: 'att-1', rawData, fileType }, LIMITS);
    }
    expect(asked.map(([, { headers }]) => headers?.['accept'])).toEqual(
      asked.map(() => 'application/octet-stream'),
    );
    expect(asked).toHaveLength(3);
    await xeroFiles.fetch(client, { platformId: 'att-1', rawData: {}, fileType: null }, LIMITS);
    expect(asked).toHaveLength(3);
  });
});
