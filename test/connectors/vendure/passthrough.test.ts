import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { plainAccess } from '../../../src/connectors/platform-access.js';
import { type PlatformCall } from '../../../src/connectors/platform.js';
import { vendure } from '../../../src/connectors/vendure/index.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';

let platform: OddPlatform;

beforeAll(async () => {
  platform = await startOddPlatform();
});
beforeEach(() => {
  platform.heard.length = 0;
});
afterAll(() => platform.close());

/** Where a request of a caller's arrives. */
async function arrives(more: Partial<PlatformCall>) {
  const access = plainAccess({
    baseUrl: platform.url,
    settings: { channel: 'ours' },
    accessToken: 'any',
    externalAccountId: 'shop ours',
  });
  await (vendure.createPassthrough ?? vendure.createClient)(access).send({
    method: 'POST',
    path: '/admin-api',
    query: [],
    headers: {},
    body: '{"query":"{ orders { totalItems } }"}',
    timeoutMs: 5000,
    maxBytes: 1000,
    ...more,
  });
  return platform.heard.at(-1);
}

describe('a request of a caller', () => {
  test('is of the channel of the connection, whatever its headers say', async () => {
    const heard = await arrives({ query: [['languageCode', 'de']], headers: { 'vendure-token': 'theirs' } });
    expect(heard).toMatchObject({
      url: '/admin-api?languageCode=de',
      headers: { 'vendure-token': 'ours', 'vendure-api-key': 'any' },
    });
  });

  test.each(['vendure-token', 'vendure-token[]', '[vendure-token]', 'Vendure-Token'])(
    'names no other channel by the parameter %s, which Vendure reads before the header',
    async (name) => {
      await expect(arrives({ query: [[name, 'theirs']] })).rejects.toMatchObject({ code: 'invalid-params' });
      expect(platform.heard).toEqual([]);
    },
  );
});
