import { isDeepStrictEqual } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { type Connector } from '../../src/connectors/connector.js';
import { type CallPermit, type PlatformAccess } from '../../src/connectors/platform-access.js';
import { type PlatformClient } from '../../src/connectors/platform.js';
import { type PulledPage, type PullResource, type UnifiedRecord } from '../../src/connectors/pull.js';
import { platformAgent } from '../../src/connectors/client/platform-agent.js';
import { PlatformPause } from '../../src/connectors/client/platform-errors.js';
import { until } from '../support/until.js';
import { comparable } from './asked-for.js';
import { describeWrites } from './conformance-push.js';
import { describeSteps } from './conformance-steps.js';
import { imbalancesOf } from './invariants.js';
import {
  deletedIds,
  firstOf,
  idsOf,
  latestOf,
  livingIds,
  recordsOf,
  saidToBeDeleted,
  unusedIdOf,
} from './listed.js';
import { everything, lookupsOf, mapAll, pagesOf, type Records } from './pulls.js';
import { type WriteSamples } from './write-samples.js';

/** What can go wrong with a call. `429` comes with `Retry-After: 1`. */
export type Fault =
  | '429'
  | '500'
  | 'hang'
  | 'cut'
  | 'drop'
  | 'html'
  | 'html with 200'
  | 'invalid JSON'
  | 'expired token'
  | OptionalFault;

/**
 * What only some platforms do: that the account was disconnected there, that a right or a scope is missing, that their own
 * fault or their limit comes with 200 (`throttled with 200` asks for a pause of a second).
 */
export type OptionalFault = 'disconnected' | 'no scope' | 'fault with 200' | 'throttled with 200';

/** A call as it reached the platform, with the time at which it came. */
export interface SeenCall {
  readonly path: string;
  readonly token: string | null;
  readonly at: number;
}

/** What was done to the records of a type, by their platform ids. */
export interface Mutation {
  /** Made, changed or voided, and there. */
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

/** What is done to one record of a type, by its platform id; null where the platform has none that it can be done to. */
export interface Steps {
  /** It stays, out of use: still listed, with another status. */
  readonly archive?: (dataModel: string) => Promise<string | null>;
  /** One that was archived is in use again. */
  readonly restore?: (dataModel: string, platformId: string) => Promise<void>;
  readonly delete?: (dataModel: string) => Promise<string | null>;
  /** It becomes one of another type, under its id. */
  readonly changeType?: (
    dataModel: string,
  ) => Promise<{ readonly platformId: string; readonly becomes: string } | null>;
}

/** What the records of a type must be, and a record as far as such a comparison goes. */
export interface Expected {
  of(dataModel: string): readonly UnifiedRecord[];
  comparable(dataModel: string, record: UnifiedRecord): unknown;
}

/** A platform that keeps a state, with what tests need to disturb it. */
export interface ConformancePlatform {
  readonly baseUrl: string;
  readonly externalAccountId: string;
  /** The time by the clock of a platform that does not go by ours. */
  now?(): Date;
  /** A new token for the account. */
  issueToken(): Promise<string>;
  /** The calls since the last `reset`. */
  readonly calls: readonly SeenCall[];
  /** Calls go wrong from now on: after `skip` of them, the next `count`. */
  fail(fault: Fault, options?: { readonly skip?: number; readonly count?: number }): void;
  /** Nothing goes wrong any more; no calls were seen. */
  reset(): void;
  livingIds(dataModel: string): Promise<readonly string[]>;
  /** Changes some records and deletes some, as far as the platform lets them be deleted. */
  mutate(dataModel: string): Promise<Mutation>;
  /** An id of the form that the platform's records of a type have, of nothing; a UUID otherwise. */
  readonly unusedId?: (dataModel: string) => string;
  readonly steps?: Steps;
  /** Absent with `isReal`. */
  readonly expected?: Expected;
  /** Items of every record type that can be written, made of what is there: its living records. */
  writes?(living: Records): WriteSamples;
  stop(): Promise<void>;
}

export interface Tuning {
  readonly timeoutMs?: number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

export interface Conformance {
  readonly connector: Connector;
  /** The connector's client for tests that cannot wait. */
  createClient(access: PlatformAccess, tuning: Tuning): PlatformClient;
  /** A platform of its own each time. At least one record type of it must have several pages, each of one call. */
  start(): Promise<ConformancePlatform>;
  /** The vendor's own server: what it is made of is not known, and values are not compared. */
  readonly isReal?: boolean;
  /** After which a call counts as hanging; nothing but hanging calls is measured with it. */
  readonly timeoutMs?: number;
  /** What the platform has words for. */
  readonly knows?: readonly OptionalFault[];
  /** What the platform's `steps` can do. */
  readonly steps: readonly (keyof Steps)[];
  /** The record types whose pages take several calls. */
  readonly manyCalls: readonly string[];
}

/** Waits for nothing between tries. */
const RESTLESS: Tuning = { sleep: async () => undefined };

interface Metered {
  readonly access: PlatformAccess;
  /** What `permit` was given back with. */
  readonly outcomes: Parameters<CallPermit['done']>[0][];
  readonly permits: () => number;
  /** Tokens that were said to be refused. */
  readonly refused: string[];
  /** Tokens with which the access was said to have ended. */
  readonly ended: string[];
}

/** Runs any connector against a platform that keeps a state. */
export function describeConnector(conformance: Conformance): void {
  const { connector, knows = [], steps, isReal = false, timeoutMs = 400 } = conformance;
  /** For calls that hang alone: any other may take longer on a busy machine. */
  const impatient: Tuning = { ...RESTLESS, timeoutMs };
  let platform: ConformancePlatform;

  async function metered({ patienceMs = 90_000, canRenew = true } = {}): Promise<Metered> {
    const outcomes: Metered['outcomes'] = [];
    const refused: string[] = [];
    const ended: string[] = [];
    let permits = 0;
    let token = await platform.issueToken();
    let renewed: string | null = null;
    const access: PlatformAccess = {
      baseUrl: platform.baseUrl,
      externalAccountId: platform.externalAccountId,
      patienceMs,
      settings: {},
      dispatcher: platformAgent,
      accessToken: async (bad) => {
        if (bad === undefined) renewed = null;
        // As the service has it: what was renewed for this call is not renewed once more.
        if (bad === undefined || bad === renewed) return token;
        refused.push(bad);
        if (canRenew) token = renewed = await platform.issueToken();
        return token;
      },
      ended: async (token) => void ended.push(token),
      permit: async () => {
        permits += 1;
        return { done: async (outcome) => void outcomes.push(outcome) };
      },
    };
    return { access, outcomes, permits: () => permits, refused, ended };
  }

  const plainClient = (access: PlatformAccess) => connector.createClient(access);
  const patient = async () => plainClient((await metered()).access);
  const restless = async () => conformance.createClient((await metered()).access, RESTLESS);

  /** Every record type as it is at first, page by page. */
  const whole = new Map<string, readonly PulledPage[]>();
  const wholeOf = (resource: PullResource) => whole.get(resource.definition.dataModel) ?? [];
  /** How many calls that took. */
  const callsFor = new Map<PullResource, number>();

  beforeAll(async () => {
    platform = await conformance.start();
    const client = await patient();
    for (const resource of connector.pulls) {
      platform.reset();
      whole.set(resource.definition.dataModel, await pagesOf(resource, client));
      callsFor.set(resource, platform.calls.length);
    }
    baseCurrency = (await connector.readBaseCurrency?.(client)) ?? null;
    platform.reset();
  });
  afterEach(() => platform.reset());
  afterAll(() => platform.stop());

  /** For tests that change their platform: `whole` stays true of the one that the others read. */
  function exchangePlatform(): void {
    let unchanged: ConformancePlatform;
    beforeAll(async () => {
      unchanged = platform;
      platform = await conformance.start();
    });
    afterAll(async () => {
      await platform.stop();
      platform = unchanged;
    });
  }

  const resources = connector.pulls.map((resource) => [resource.definition.dataModel, resource] as const);

  /** The record type with the most pages of one call each: faults in the middle of it must not lose anything. */
  function longest(): { resource: PullResource; pages: readonly PulledPage[] } {
    const [found] = connector.pulls
      .filter((resource) => callsFor.get(resource) === wholeOf(resource).length)
      .sort((one, other) => wholeOf(other).length - wholeOf(one).length);
    if (!found || wholeOf(found).length < 2) throw new Error('no record type has several pages');
    return { resource: found, pages: wholeOf(found) };
  }

  let mapped: Records | null = null;
  let baseCurrency: string | null = null;
  const unified = () => (mapped ??= mapAll(connector.pulls, wholeOf, baseCurrency));

  describe('a complete pull', () => {
    test.each(resources)('of %s gives what lives on the platform, each once', async (dataModel, resource) => {
      const ids = livingIds(resource, wholeOf(resource));
      expect(ids.length).toBeGreaterThan(0);
      expect(sorted(ids)).toEqual(sorted(await platform.livingIds(dataModel)));
      expect(wholeOf(resource).at(-1)?.cursor).toBeNull();
    });

    test('maps to nothing but the fields of each record type, and leaves no code unresolved', () => {
      const all = unified();
      for (const { definition } of connector.pulls) {
        for (const record of all.get(definition.dataModel) ?? []) {
          const names = Object.keys(record.values);
          expect(names.filter((name) => !(name in definition.own))).toEqual([]);
          expect([record.platformId, record.unresolved ?? false]).toEqual([record.platformId, false]);
        }
      }
    });

    const compared = isReal ? [] : resources;
    if (compared.length > 0)
      test.each(compared)('of %s gives the values that the platform was made of', (dataModel) => {
        const { expected } = platform;
        if (!expected) throw new Error('the platform does not say what its records must be');
        const comparable = (records: readonly UnifiedRecord[]) =>
          sortedById(records).map((record) => expected.comparable(dataModel, record));
        const living = (unified().get(dataModel) ?? []).filter(({ deleted }) => !deleted);
        expect(comparable(living)).toEqual(comparable(expected.of(dataModel)));
      });

    test('maps to books that add up', () => {
      const all = unified();
      const faults = connector.pulls.flatMap(({ definition }) =>
        (all.get(definition.dataModel) ?? [])
          .filter(({ deleted }) => !deleted)
          .flatMap((record) => imbalancesOf(definition.dataModel, record)),
      );
      expect(faults).toEqual([]);
    });

    test.each(resources)('of %s finds the parts of a whole by the field that names it', (_name, resource) => {
      const { partOf } = resource;
      if (!partOf || !('field' in partOf)) return;
      for (const page of wholeOf(resource)) {
        const wholes = recordsOf(resource, [page]).map(
          ([{ values }]) => (values as Readonly<Record<string, unknown>>)[partOf.field],
        );
        expect(page.wholes).toEqual(expect.arrayContaining(wholes));
      }
    });

    test.each(resources)(
      'of %s that stops after each page goes on from its cursor',
      async (_name, resource) => {
        const pages = await stepsOf(resource, await patient(), null);
        expect(pages).toEqual(wholeOf(resource));
      },
    );
  });

  describe('one record', () => {
    const readable = connector.pulls.flatMap((resource) => {
      const { read, definition } = resource;
      return read ? [[definition.dataModel, resource, read] as const] : [];
    });
    if (readable.length === 0) return;

    test.each(readable)('of %s is read as a pull has it', async (dataModel, resource, read) => {
      const client = await patient();
      const records = (unified().get(dataModel) ?? []).filter(({ deleted }) => !deleted);
      // From both ends: a record type may be of several kinds.
      for (const pulled of [records[0], records.at(-1)]) {
        const object = await read(client, pulled?.platformId ?? '');
        const record = object && resource.toUnified(object, lookupsOf(unified(), baseCurrency));
        expect(record && comparable(resource.definition, record)).toEqual(
          pulled && comparable(resource.definition, pulled),
        );
      }
    });

    test.each(readable)(
      'of %s that the platform does not have is null',
      async (dataModel, _resource, read) => {
        const client = await patient();
        expect(await read(client, unusedIdOf(platform, dataModel))).toBeNull();
        expect(await read(client, '987654321')).toBeNull();
        expect(await read(client, 'no such/../id?')).toBeNull();
        expect(await read(client, '..')).toBeNull();
      },
    );
  });

  describe('limits', () => {
    test('a pause that the platform asks for is kept', async () => {
      const { access, outcomes } = await metered();
      platform.fail('429', { count: 1 });
      const { resource, pages } = longest();
      expect(await firstOf(resource.pages(connector.createClient(access), everything))).toEqual(pages[0]);
      const [refused, repeated] = platform.calls;
      expect((repeated?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1000);
      expect(outcomes).toMatchObject([
        { status: 429, retryAfterMs: 1000 },
        { status: 200, retryAfterMs: null },
      ]);
    });

    test('a pause that is too long is left to the caller, with the time at which to go on', async () => {
      const { access } = await metered({ patienceMs: 100 });
      platform.fail('429');
      const began = Date.now();
      const pull = firstOf(longest().resource.pages(connector.createClient(access), everything));
      const pause = await pull.then(
        () => null,
        (error: unknown) => error,
      );
      expect(pause).toBeInstanceOf(PlatformPause);
      expect((pause as PlatformPause).resumeAt.getTime()).toBeGreaterThanOrEqual(began + 1000);
      expect(platform.calls).toHaveLength(1);
    });

    test('every leave to call is given back, also of calls that fail', async () => {
      const { access, outcomes, permits } = await metered();
      platform.fail('hang');
      const hanging = pagesOf(longest().resource, conformance.createClient(access, impatient));
      await expect(hanging).rejects.toMatchObject({ code: 'platform-timeout' });
      // One that takes too long may be asked for less.
      const unanswered = outcomes.splice(0);
      expect(unanswered.length).toBe(permits());
      expect(new Set(unanswered.map(({ status }) => status))).toEqual(new Set([null]));
      platform.fail('drop', { skip: 1 });
      const dropped = pagesOf(longest().resource, conformance.createClient(access, RESTLESS));
      await expect(dropped).rejects.toMatchObject({ code: 'platform-unreachable' });
      expect(outcomes).toMatchObject([
        { status: 200, retryAfterMs: null },
        { status: null, retryAfterMs: null },
      ]);
      expect(permits()).toBe(unanswered.length + outcomes.length);
    });
  });

  describe('tokens', () => {
    test('a refused one is renewed once, and the pull goes on with the new one', async () => {
      const { access, refused } = await metered();
      const first = await access.accessToken();
      platform.fail('expired token', { skip: 1, count: 1 });
      const { resource, pages } = longest();
      expect(await pagesOf(resource, connector.createClient(access))).toEqual(pages);
      expect(refused).toEqual([first]);
      const renewed = await access.accessToken();
      expect(renewed).not.toBe(first);
      expect(platform.calls.map(({ token }) => token).slice(0, 3)).toEqual([first, first, renewed]);
    });

    test('one that is refused again ends the pull', async () => {
      const { access, refused, ended } = await metered();
      platform.fail('expired token');
      const pull = pagesOf(longest().resource, connector.createClient(access));
      await expect(pull).rejects.toMatchObject({ code: 'connection-expired' });
      expect(platform.calls).toHaveLength(2);
      expect(refused).toHaveLength(1);
      expect(ended).toEqual([await access.accessToken()]);
    });

    test('one that cannot be renewed is not sent again', async () => {
      const { access } = await metered({ canRenew: false });
      platform.fail('expired token');
      const pull = pagesOf(longest().resource, connector.createClient(access));
      await expect(pull).rejects.toMatchObject({ code: 'connection-expired' });
      expect(platform.calls).toHaveLength(1);
    });
  });

  if (knows.length > 0)
    describe('access', () => {
      if (knows.includes('disconnected'))
        test('that was ended at the platform ends the pull and the connection, by one call', async () => {
          const { access, refused, ended } = await metered();
          platform.fail('disconnected');
          const pull = pagesOf(longest().resource, connector.createClient(access));
          await expect(pull).rejects.toMatchObject({ code: 'connection-expired' });
          expect([platform.calls.length, refused.length]).toEqual([1, 0]);
          expect(ended).toEqual([await access.accessToken()]);
        });

      if (knows.includes('fault with 200'))
        test('answered 200 with a fault of the platform is asked for again, and an outage in the end', async () => {
          const { resource, pages } = longest();
          platform.fail('fault with 200', { skip: 1, count: 2 });
          expect(await pagesOf(resource, await restless())).toEqual(pages);
          platform.fail('fault with 200');
          const pull = pagesOf(resource, await restless());
          await expect(pull).rejects.toMatchObject({ code: 'platform-unavailable' });
        });

      if (knows.includes('throttled with 200'))
        test('answered 200 with a limit is kept to, as with 429', async () => {
          const { access, outcomes } = await metered();
          platform.fail('throttled with 200', { count: 1 });
          const { resource, pages } = longest();
          expect(await firstOf(resource.pages(connector.createClient(access), everything))).toEqual(pages[0]);
          const [refused, repeated] = platform.calls;
          expect((repeated?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1000);
          expect(outcomes).toMatchObject([
            { status: 200, retryAfterMs: 1000 },
            { status: 200, retryAfterMs: null },
          ]);
        });

      if (knows.includes('no scope'))
        test('without a scope is refused, and goes on for the rest', async () => {
          const { access, ended } = await metered();
          platform.fail('no scope', { count: 1 });
          const client = connector.createClient(access);
          await expect(pagesOf(longest().resource, client)).rejects.toMatchObject({
            code: 'platform-refused',
          });
          const { resource, pages } = longest();
          expect(await pagesOf(resource, client)).toEqual(pages);
          expect(ended).toEqual([]);
        });
    });

  describe('faults', () => {
    test('one that is over at once is not noticed', async () => {
      platform.fail('500', { skip: 1, count: 2 });
      const { resource, pages } = longest();
      expect(await pagesOf(resource, await restless())).toEqual(pages);
    });

    test.each([
      ['500', 'platform-unavailable'],
      ['cut', 'platform-answer'],
      ['drop', 'platform-unreachable'],
      ['html', 'platform-unavailable'],
      ['html with 200', 'platform-answer'],
      ['invalid JSON', 'platform-answer'],
    ] as const)('%s in the middle is a %s, and nothing of the page comes', async (fault, code) => {
      const { resource, pages } = longest();
      platform.fail(fault, { skip: 1 });
      const got: PulledPage[] = [];
      const pull = (async () => {
        for await (const page of resource.pages(await restless(), everything)) got.push(page);
      })();
      await expect(pull).rejects.toMatchObject({ code, name: 'AppError' });
      expect(got).toEqual(pages.slice(0, 1));
      platform.reset();
      const rest = await pagesOf(resource, await patient(), { since: null, cursor: got[0]?.cursor ?? null });
      expect([...got, ...rest]).toEqual(pages);
    });

    test('a call that hangs is a platform-timeout, and the pull goes on from the page before', async () => {
      const { resource, pages } = longest();
      const request = { since: null, cursor: pages[0]?.cursor ?? null };
      platform.fail('hang');
      const client = conformance.createClient((await metered()).access, impatient);
      const pull = pagesOf(resource, client, request);
      await expect(pull).rejects.toMatchObject({ code: 'platform-timeout', name: 'AppError' });
      platform.reset();
      expect(await pagesOf(resource, await patient(), request)).toEqual(pages.slice(1));
    });
  });

  describe('pages of several calls', () => {
    test('come whole or not at all', async () => {
      const found = connector.pulls.filter(
        (resource) => (callsFor.get(resource) ?? 0) > wholeOf(resource).length,
      );
      expect(found.map(({ definition }) => definition.dataModel)).toEqual(conformance.manyCalls);
      for (const resource of found) {
        platform.fail('html with 200', { skip: 1 });
        const pull = firstOf(resource.pages(await patient(), everything));
        await expect(pull).rejects.toMatchObject({ code: 'platform-answer' });
        platform.reset();
      }
    });
  });

  describe('changes', () => {
    exchangePlatform();
    const now = () => platform.now?.() ?? new Date();
    const changing = connector.pulls.filter(({ incremental }) => incremental);

    /** A time since when nothing has changed: platforms are asked for changes by the second, and tests are quicker. */
    const quietMoment = (resource: PullResource, client: PlatformClient) =>
      until('a moment after the last change', async () => {
        const since = now();
        const pages = await pagesOf(resource, client, { since, cursor: null });
        return idsOf(resource, pages).length === 0 ? since : null;
      });

    for (const resource of changing) {
      const { dataModel } = resource.definition;
      test(`of ${dataModel} come alone, and what was deleted is found`, async () => {
        const client = await patient();
        const since = await quietMoment(resource, client);
        const before = await platform.livingIds(dataModel);
        const { changed, deleted } = await platform.mutate(dataModel);
        const pages = await pagesOf(resource, client, { since, cursor: null });
        expect(sorted(new Set(livingIds(resource, pages)))).toEqual(sorted(changed));
        expect(await stepsOf(resource, client, since)).toEqual(pages);
        expect(changed.length).toBeGreaterThan(0);
        const living = livingAfter(before, { changed, deleted });
        const everyPage = await pagesOf(resource, client);
        expect(sorted(livingIds(resource, everyPage))).toEqual(sorted(living));
        expect(latestOf(resource, pages).filter(([id]) => !deleted.includes(id))).toEqual(
          latestOf(resource, everyPage).filter(([id]) => changed.includes(id)),
        );
        const gone = [
          ...saidToBeDeleted(resource, pages),
          ...(await deletedIds(resource, client, { since, before })),
        ];
        expect(sorted(new Set(gone))).toEqual(sorted(deleted));
      });
    }

    test('of what is always read completely are seen, and what was deleted is missing', async () => {
      const client = await patient();
      for (const resource of connector.pulls.filter(({ incremental }) => !incremental)) {
        const { dataModel } = resource.definition;
        const old = new Map(latestOf(resource, await pagesOf(resource, client)));
        const [since, before] = [now(), await platform.livingIds(dataModel)];
        const { changed, deleted } = await platform.mutate(dataModel);
        const pages = await pagesOf(resource, client, { since, cursor: null });
        const living = livingAfter(before, { changed, deleted });
        expect([dataModel, sorted(livingIds(resource, pages))]).toEqual([dataModel, sorted(living)]);
        const altered = latestOf(resource, pages).filter(
          ([id, object]) => !isDeepStrictEqual(object, old.get(id)),
        );
        expect([dataModel, altered.map(([id]) => id)]).toEqual([
          dataModel,
          expect.arrayContaining([...changed]),
        ]);
      }
    });

    test('that come during a pull make it miss nothing', async () => {
      const { resource } = longest();
      const { dataModel } = resource.definition;
      const before = await platform.livingIds(dataModel);
      const pages: PulledPage[] = [];
      let mutation: Mutation | null = null;
      for await (const page of resource.pages(await patient(), everything)) {
        pages.push(page);
        mutation ??= await platform.mutate(dataModel);
      }
      const ids = new Set(idsOf(resource, pages));
      const missed = before.filter((id) => !ids.has(id) && !mutation?.deleted.includes(id));
      expect(missed).toEqual([]);
    });

    test('before which nothing changed are none', async () => {
      const client = await patient();
      const since = new Date(now().getTime() + 3_600_000);
      for (const resource of changing) {
        const pages = await pagesOf(resource, client, { since, cursor: null });
        expect([resource.definition.dataModel, idsOf(resource, pages)]).toEqual([
          resource.definition.dataModel,
          [],
        ]);
      }
    });

    describeSteps({ connector, steps, platform: () => platform, client: patient });
  });

  const { push } = connector;
  if (push) {
    describe('push', () => {
      exchangePlatform();
      describeWrites({ connector, push, platform: () => platform, client: patient });
    });
  }
}

const livingAfter = (before: readonly string[], { changed, deleted }: Mutation): string[] =>
  [...new Set([...before, ...changed])].filter((id) => !deleted.includes(id));

/** The same one page at a time, each from the cursor of the one before. */
async function stepsOf(
  resource: PullResource,
  client: PlatformClient,
  since: Date | null,
): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  for (let cursor: string | null = null; ;) {
    const page: PulledPage = await firstOf(resource.pages(client, { since, cursor }));
    pages.push(page);
    cursor = page.cursor;
    if (cursor === null) return pages;
  }
}

const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

function sortedById(records: readonly UnifiedRecord[]): UnifiedRecord[] {
  return [...records].sort((one, other) => (one.platformId < other.platformId ? -1 : 1));
}
