import { type ConformancePlatform } from '../conformance.js';
import { startFaultProxy } from '../fault-proxy.js';
import { ACCOUNT_ID } from './account.js';
import { mutate } from './changes/index.js';
import { notPermitted, ownFault, rateLimited } from './errors.js';
import { expectedOf } from './expected/index.js';
import { makeAccount } from './makers/index.js';
import { livingIdsOf } from './models.js';
import { startStripeFake } from './server.js';
import { stepsOf } from './steps.js';

const HOUR = 3600;

/** Stripe with an account of its own, behind a proxy that makes faults. */
export async function startStripePlatform(): Promise<ConformancePlatform> {
  const account = makeAccount();
  const fake = await startStripeFake(account);
  const proxy = await startFaultProxy(fake.url, {
    refusals: { '429': rateLimited, '500': ownFault, 'no scope': notPermitted },
  });
  return {
    // Stripe goes by the second: the clock goes on while a test looks at it.
    now: () => {
      account.advance(1);
      return new Date(account.time * 1000);
    },
    baseUrl: proxy.url,
    externalAccountId: ACCOUNT_ID,
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    expected: expectedOf(account),
    issueToken: async () => fake.issueKey(),
    livingIds: async (dataModel) => livingIdsOf(account, dataModel),
    // An hour before and after: no two changes are close, whatever a second is rounded to.
    mutate: async (dataModel) => {
      account.advance(HOUR);
      const done = mutate(account, dataModel);
      account.advance(HOUR);
      return done;
    },
    unusedId: () => 'pi_1NothingHasThisId00000000',
    steps: stepsOf(account, () => account.advance(HOUR)),
    stop: async () => {
      await proxy.stop();
      await fake.stop();
    },
  };
}
