import { type ConformancePlatform } from '../conformance.js';
import { startFaultProxy } from '../fault-proxy.js';
import { mutate } from './changes/index.js';
import { expectedOf } from './expected/index.js';
import { makeCompany } from './makers/company.js';
import { livingIdsOf } from './models.js';
import { noScope, outOfOrder, outOfOrderWith200, tooManyCallsFor } from './problems.js';
import { startQuickbooksFake } from './server.js';
import { stepsOf } from './steps.js';
import { quickbooksSamples } from './write-samples.js';

const HOUR = 3600;

/** QuickBooks Online with a company of its own, behind a proxy that makes faults. */
export async function startQuickbooksPlatform(company = makeCompany()): Promise<ConformancePlatform> {
  const fake = await startQuickbooksFake(company);
  const proxy = await startFaultProxy(fake.url, {
    refusals: {
      '429': tooManyCallsFor(1),
      '500': outOfOrder,
      'no scope': noScope,
      'fault with 200': outOfOrderWith200,
    },
  });
  return {
    // QuickBooks goes by the second: the clock goes on while a test looks at it.
    now: () => {
      company.advance(1);
      return company.now;
    },
    baseUrl: proxy.url,
    externalAccountId: company.realmId,
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    expected: expectedOf(company),
    issueToken: async () => fake.identity.issue(),
    livingIds: async (dataModel) => livingIdsOf(company, dataModel),
    // An hour before and after: no two changes are close, whatever a second is rounded to.
    mutate: async (dataModel) => {
      company.advance(HOUR);
      const done = mutate(company, dataModel);
      company.advance(HOUR);
      return done;
    },
    unusedId: (dataModel) => (dataModel === 'CONTACTS' ? 'customer:987654320' : '987654320'),
    writes: quickbooksSamples,
    steps: stepsOf(company, () => company.advance(HOUR)),
    stop: async () => {
      await proxy.stop();
      await fake.stop();
    },
  };
}
