import { type ConformancePlatform } from '../conformance.js';
import { startFaultProxy, tokenHeader } from '../fault-proxy.js';
import { mutate, stepsOf } from './changes.js';
import { expectedOf } from './expected.js';
import { makeShop } from './makers.js';
import { livingIdsOf } from './models.js';
import { noScope, ownFault, throttled } from './problems.js';
import { startShopifyFake } from './server.js';

const HOUR = 3600;

/** Shopify with a shop, behind a proxy that makes faults. */
export async function startShopifyPlatform(shop = makeShop()): Promise<ConformancePlatform> {
  const fake = await startShopifyFake(shop);
  const proxy = await startFaultProxy(fake.url, {
    tokens: tokenHeader('x-shopify-access-token'),
    refusals: {
      'no scope': noScope(),
      'fault with 200': ownFault,
      // A second restores a hundred points.
      'throttled with 200': throttled(500, 400),
    },
  });
  return {
    // Shopify goes by the second: the clock goes on while a test looks at it.
    now: () => {
      shop.advance(1);
      return shop.now;
    },
    baseUrl: proxy.url,
    externalAccountId: shop.domain,
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    expected: expectedOf(shop),
    issueToken: async () => fake.identity.issue(),
    livingIds: async (dataModel) => livingIdsOf(shop, dataModel),
    // An hour before and after: no two changes are close.
    mutate: async (dataModel) => {
      shop.advance(HOUR);
      const done = mutate(shop, dataModel);
      shop.advance(HOUR);
      return done;
    },
    unusedId: () => '987654320',
    steps: stepsOf(shop, () => shop.advance(HOUR)),
    stop: async () => {
      await proxy.stop();
      await fake.stop();
    },
  };
}
