import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { platformAgent } from '../../../src/connectors/client/platform-agent.js';
import { vendureAccess } from '../../../src/connectors/vendure/access.js';
import { type OddPlatform, type PlatformHandler, startOddPlatform } from '../../support/platform.js';

let shop: OddPlatform;

beforeAll(async () => {
  shop = await startOddPlatform();
});
afterAll(() => shop.close());

const open = (handler: PlatformHandler) => {
  shop.answer(handler);
  return vendureAccess.open({
    baseUrl: shop.url,
    settings: {},
    dispatcher: platformAgent,
    secrets: { api_key: 'a key' },
  });
};

test('a shop that asks for a pause is not waited for by a customer', async () => {
  const busy: PlatformHandler = (_heard, response) => response.writeHead(429, { 'retry-after': '30' }).end();
  await expect(open(busy)).rejects.toMatchObject({ code: 'platform-unavailable' });
  expect(shop.heard).toHaveLength(1);
});

test('an address that anybody typed in is not read to the end of a long answer', async () => {
  const endless: PlatformHandler = (_heard, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(2 * 1024 * 1024)}"`);
  await expect(open(endless)).rejects.toMatchObject({
    code: 'platform-answer',
    message: expect.stringContaining('longer than'),
  });
});
