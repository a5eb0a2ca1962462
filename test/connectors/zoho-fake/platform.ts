import { type ConformancePlatform } from '../conformance.js';
import { startFaultProxy, type TokenScheme } from '../fault-proxy.js';
import { mutate, stepsOf } from './changes.js';
import { expectedOf } from './expected.js';
import { makeOrganization } from './make.js';
import { livingIdsOf } from './models.js';
import {
  internal,
  internalWith200,
  noMember,
  noRight,
  throttledWith200,
  tooManyCallsFor,
} from './problems.js';
import { startZohoFake } from './server.js';
import { zohoSamples } from './write-samples.js';

const HOUR = 3600;

const TOKENS: TokenScheme = {
  of: ({ authorization }) => /^Zoho-oauthtoken (.*)$/.exec(authorization?.toString() ?? '')?.[1] ?? null,
  unknown: { authorization: 'Zoho-oauthtoken of-yesterday' },
};

/** Zoho Books with an organization of its own, behind a proxy that makes faults. */
export async function startZohoPlatform(organization = makeOrganization()): Promise<ConformancePlatform> {
  const fake = await startZohoFake(organization);
  const proxy = await startFaultProxy(fake.url, {
    tokens: TOKENS,
    refusals: {
      '429': tooManyCallsFor(1),
      '500': internal,
      disconnected: noMember,
      'no scope': noRight,
      'fault with 200': internalWith200,
      'throttled with 200': throttledWith200,
    },
  });
  return {
    // Zoho goes by the second: the clock goes on while a test looks at it.
    now: () => {
      organization.advance(1);
      return organization.now;
    },
    baseUrl: proxy.url,
    externalAccountId: organization.id,
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    expected: expectedOf(organization),
    issueToken: async () => fake.identity.issue(),
    livingIds: async (dataModel) => livingIdsOf(organization, dataModel),
    mutate: async (dataModel) => {
      organization.advance(HOUR);
      const done = mutate(organization, dataModel);
      organization.advance(HOUR);
      return done;
    },
    writes: zohoSamples,
    unusedId: () => '987654320',
    steps: stepsOf(organization, () => organization.advance(HOUR)),
    stop: async () => {
      await proxy.stop();
      await fake.stop();
    },
  };
}
