import { type ConformancePlatform } from '../conformance.js';
import { startFaultProxy } from '../fault-proxy.js';
import { expectedOf } from './expected/index.js';
import { makeOrganisation } from './makers/organisation.js';
import { livingIdsOf } from './models.js';
import { mutate } from './mutate.js';
import { noScope, outOfOrder, tooManyCalls, wrongTenant } from './problems.js';
import { startXeroFake } from './server.js';
import { stepsOf } from './steps.js';
import { xeroSamples } from './write-samples.js';

const FIRST_MOMENT = Date.UTC(2026, 0, 1);
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** Xero with an organisation of its own, behind a proxy that makes faults. */
export async function startXeroPlatform(): Promise<ConformancePlatform> {
  const organisation = makeOrganisation();
  // Xero is asked for changes by the second: by this clock no two of them are as close.
  let time = FIRST_MOMENT;
  const fake = await startXeroFake(organisation, () => new Date((time += SECOND_MS)));
  const proxy = await startFaultProxy(fake.url, {
    refusals: {
      '429': tooManyCalls,
      '500': outOfOrder,
      disconnected: wrongTenant,
      'no scope': noScope,
    },
  });
  return {
    // It goes on while a test looks at it, as a clock does.
    now: () => new Date((time += SECOND_MS)),
    baseUrl: `${proxy.url}/api.xro/2.0`,
    externalAccountId: organisation.tenantId,
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    expected: expectedOf(organisation),
    issueToken: async () => fake.issueToken(),
    livingIds: async (dataModel) => livingIdsOf(organisation, dataModel),
    mutate: async (dataModel) => {
      time += 2 * HOUR_MS;
      return mutate(organisation, dataModel, new Date(time - HOUR_MS));
    },
    steps: stepsOf(organisation, () => new Date((time += HOUR_MS))),
    writes: xeroSamples,
    stop: async () => {
      await proxy.stop();
      await fake.stop();
    },
  };
}
