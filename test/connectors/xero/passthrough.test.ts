import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { plainAccess } from '../../../src/connectors/platform-access.js';
import { createXeroPassthrough } from '../../../src/connectors/xero/client.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';

let platform: OddPlatform;

beforeAll(async () => {
  platform = await startOddPlatform();
});
beforeEach(() => {
  platform.heard.length = 0;
});
afterAll(() => platform.close());

/** Where a request of a caller's arrives, below an address that is set to the one given. */
async function arrives(path: string, baseUrl = `${platform.url}/api.xro/2.0`) {
  const access = plainAccess({ baseUrl, accessToken: 'any', externalAccountId: 'a tenant' });
  await createXeroPassthrough(access).send({
    method: 'GET',
    path,
    query: [],
    headers: {},
    body: null,
    timeoutMs: 5000,
    maxBytes: 1000,
  });
  return platform.heard.at(-1);
}

describe('a request of a caller', () => {
  test.each([
    ['/Invoices', '/api.xro/2.0/Invoices'],
    ['/api.xro/2.0/Invoices', '/api.xro/2.0/Invoices'],
    ['/payroll.xro/1.0/Employees', '/payroll.xro/1.0/Employees'],
    ['/connections', '/api.xro/2.0/connections'],
    ['/payroll.xro', '/api.xro/2.0/payroll.xro'],
    ['/Payroll.XRO/x', '/api.xro/2.0/Payroll.XRO/x'],
  ])('to %s arrives at %s, as the account that it is for', async (path, url) => {
    const heard = await arrives(path);
    expect(heard).toMatchObject({
      url,
      headers: { 'xero-tenant-id': 'a tenant', authorization: 'Bearer any' },
    });
  });

  test('is below an address without a path, too', async () => {
    expect((await arrives('/Invoices', platform.url))?.url).toBe('/Invoices');
    expect((await arrives('/files.xro/1.0/Files', platform.url))?.url).toBe('/files.xro/1.0/Files');
  });

  test.each(['/payroll.xro/../connections', '/payroll.xro/%2e%2e/connections', '/api.xro/../../connections'])(
    'to %s leaves no API',
    async (path) => {
      await expect(arrives(path)).rejects.toMatchObject({ code: 'invalid-params' });
      expect(platform.heard).toEqual([]);
    },
  );
});
