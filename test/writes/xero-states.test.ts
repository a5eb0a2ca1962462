import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { runUpload } from '../../src/writes/run-upload.js';
import { admin } from '../support/admin.js';
import { engineOf, writeEngineOf } from '../support/sandbox.js';
import { createCaller, startApp } from '../support/service.js';
import { createXeroTenant } from '../support/xero.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('what is voided before Xero approved it is deleted there, known here as it is or not; the approved is void', async () => {
  const tenant = await createXeroTenant(app, 'voided at xero');
  try {
    const { organisationId, companyId, books } = tenant;
    const unpaid = books.documents.filter(
      ({ type, paid, credited }) => type === 'ACCREC' && paid.isZero() && credited.isZero(),
    );
    const [draft, other] = unpaid.filter(({ status }) => status === 'DRAFT');
    const [approved] = unpaid.filter(({ status }) => status === 'AUTHORISED');
    if (!draft || !other || !approved) throw new Error('there are no such invoices');
    expect(await tenant.sync(['ACCOUNTS', 'ITEMS', 'INVOICES'])).toBe('SUCCESS');
    // Our copy of it still says that it is a draft.
    other.status = 'AUTHORISED';
    const caller = await createCaller(app, organisationId);
    const data = [draft, other, approved].map(({ id }) => ({ platform_id: id, status: 'VOID' }));
    const { body } = await caller.put('/v3/accounting/invoices', {
      company_id: companyId,
      run_async: true,
      data,
    });
    const upload = await admin.prisma.upload.findFirstOrThrow({ where: { uploadId: body.sync_id } });
    await runUpload(
      writeEngineOf({ ...engineOf(app, ''), urls: tenant.urls }, undefined as never),
      { organisationId, svcCompanyId: companyId, uploadSvcId: Number(upload.svcId) },
      { workerId: 'test', signal: new AbortController().signal },
    );
    const items = await admin.prisma.uploadItem.findMany({
      where: { uploadSvcId: upload.svcId },
      orderBy: { position: 'asc' },
    });
    expect(items.map(({ state, errorMessage }) => [state, errorMessage])).toEqual(
      data.map(() => ['SUCCESS', null]),
    );
    expect([draft.status, other.status, approved.status]).toEqual(['DELETED', 'VOIDED', 'VOIDED']);
    const stored = await admin.prisma.invoice.findMany({
      where: { svcCompanyId: BigInt(companyId), platformId: { in: data.map((one) => one.platform_id) } },
    });
    const stateOf = (id: string) => {
      const record = stored.find(({ platformId }) => platformId === id);
      return [record?.status, record?.svcDeletedAt != null];
    };
    expect([draft, other, approved].map(({ id }) => stateOf(id))).toEqual([
      ['VOID', true],
      ['VOID', false],
      ['VOID', false],
    ]);
  } finally {
    await tenant.stop();
  }
});
