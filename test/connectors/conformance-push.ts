import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';

import { type Connector } from '../../src/connectors/connector.js';
import { type PlatformClient, type PlatformObject } from '../../src/connectors/platform.js';
import { type PullResource, type UnifiedRecord } from '../../src/connectors/pull.js';
import { jsonSchemaOf } from '../../src/connectors/inputs/schema.js';
import { parsePlatformJson, stringifyPlatformJson } from '../../src/connectors/values/platform-json.js';
import {
  type PushResource,
  type PushScheme,
  type References,
  type WriteForm,
  type WriteOperation,
  type WriteRequest,
} from '../../src/connectors/push.js';
import { WRITE_ERROR_CODES, writePath } from '../../src/errors.js';
import { toWirePath } from '../../src/base/names.js';
import type { FileStore } from '../../src/files/file-store.js';
import { RawJson } from '../../src/base/raw-json.js';
import { document } from '../../src/records/index.js';
import { checkItem } from '../../src/writes/checks/check-item.js';
import { markerOf } from '../../src/writes/engine.js';
import { onFailPoint } from '../../src/writes/fail-points.js';
import { batchIdOf, sendBatch } from '../../src/writes/sending/send-batch.js';
import type { Outcome } from '../../src/writes/sending/outcome.js';
import { sendItem } from '../../src/writes/sending/send-item.js';
import { comparable, DETAILS, unlike, WRITE_ONLY } from './asked-for.js';
import { definitionFor } from './plain-values.js';
import { type ConformancePlatform } from './conformance.js';
import { unusedIdOf } from './listed.js';
import { lookupsOf, mapAll, pagesOf, type Records } from './pulls.js';
import { type Item, type WriteSample, type WriteSamples } from './write-samples.js';

interface PushPart {
  readonly connector: Connector;
  readonly push: PushScheme;
  readonly platform: () => ConformancePlatform;
  readonly client: () => Promise<PlatformClient>;
}

/** An attempt to write an item. */
interface Attempt {
  /** Of an earlier attempt that died with what had to follow: what it had noted. */
  readonly noted?: { object: PlatformObject | null };
  /** The job whose key and marker it has. */
  readonly jobId: string;
  /** When it was sent before. */
  readonly firstSentAt?: Date;
}

/** What is known about records, as a store that has pulled them all knows it. */
export function referencesTo(records: Records): References {
  return {
    valueOf: (dataModel, field, platformId) => {
      const record = records.get(dataModel)?.find((one) => one.platformId === platformId);
      const value = record?.values?.[field];
      return typeof value === 'string' ? value : null;
    },
    rawValueOf: () => null,
  };
}

const unused = () => Promise.reject(new Error('no item here has a file'));
const files: FileStore = {
  put: unused,
  receive: unused,
  has: unused,
  read: unused,
  remove: unused,
  removeFolder: unused,
};

/** Writes to any connector's platform as a worker does, and reads back what came of it. */
export function describeWrites({ connector, push, platform, client }: PushPart): void {
  let baseCurrency: string | null = null;
  let known: Records;
  let samples: WriteSamples;
  /** Files have tests of their own: here nothing is sent that has one. */
  const resources = push.resources.filter(({ definition }) => definition !== document);

  beforeAll(async () => {
    const pages = new Map<PullResource, Awaited<ReturnType<typeof pagesOf>>>();
    for (const resource of connector.pulls) pages.set(resource, await pagesOf(resource, await client()));
    baseCurrency = (await connector.readBaseCurrency?.(await client())) ?? null;
    known = mapAll(connector.pulls, (resource) => pages.get(resource) ?? [], baseCurrency);
    samples = platform().writes?.(known) ?? {};
  });

  function sampleOf({ definition: { dataModel } }: PushResource): WriteSample {
    const sample = samples[dataModel];
    if (!sample) throw new Error(`there is no sample of ${dataModel}`);
    return sample;
  }

  function pullOf({ definition }: PushResource): PullResource {
    const pull = connector.pulls.find((one) => one.definition === definition);
    if (!pull) throw new Error(`${definition.dataModel} is written and not pulled`);
    return pull;
  }

  /** An item's request, in the way of the engine. */
  async function requestOf(
    resource: PushResource,
    operation: WriteOperation,
    item: Item,
    jobId: string,
  ): Promise<{ readonly text: string; readonly request: string; readonly form: WriteForm }> {
    const form = operation === 'CREATE' ? resource.create : resource.update;
    if (!form) throw new Error(`there is no form for ${operation} of ${resource.definition.dataModel}`);
    const text = JSON.stringify(item);
    const { value, problem, warnings, named } = checkItem(form, parsePlatformJson(text).value);
    expect([problem, warnings]).toEqual([null, []]);
    const strangers = named.filter(
      ({ dataModel, platformId }) => !known.get(dataModel)?.some((one) => one.platformId === platformId),
    );
    expect(strangers).toEqual([]);
    const current = form.readsCurrent?.(value ?? {})
      ? ((await pullOf(resource).read?.(await client(), String(item['platform_id']))) ?? null)
      : null;
    const tools = { references: referencesTo(known), marker: markerOf(jobId), current };
    return { text, form, request: stringifyPlatformJson(form.toRequest(value ?? {}, tools)) };
  }

  async function sendingOf(resource: PushResource, operation: WriteOperation, form: WriteForm) {
    return {
      platform: await client(),
      scheme: push,
      resource,
      form,
      operation,
      files,
      patience: { fileMilliseconds: 1000, lateMilliseconds: 1000 },
      makeSure: () => Promise.resolve(),
      withheld: () => Promise.resolve(null),
      noteResent: () => Promise.resolve(),
      noteWritten: () => Promise.resolve(),
      title: connector.title,
    };
  }

  /** Checks and sends an item in the way of the engine. */
  async function attempt(
    resource: PushResource,
    operation: WriteOperation,
    item: Item,
    { jobId, firstSentAt, noted = { object: null } }: Attempt,
  ): Promise<Outcome> {
    const { text, request, form } = await requestOf(resource, operation, item, jobId);
    const row = {
      svcId: 1,
      jobId,
      state: 'SENDING' as const,
      input: new RawJson(text),
      request,
      written: noted.object && stringifyPlatformJson(noted.object),
      attempts: firstSentAt ? 1 : 0,
      startedAt: null,
      firstSentAt: firstSentAt?.toISOString() ?? null,
      lateUntil: null,
      batchId: null,
      file: null,
    };
    const sending = {
      ...(await sendingOf(resource, operation, form)),
      noteWritten: (_row: unknown, object: PlatformObject) => {
        noted.object = object;
        return Promise.resolve();
      },
    };
    return sendItem(sending, row, request);
  }

  /** The record that a write made, as the mapper of its pull reads the answer. */
  async function written(
    resource: PushResource,
    operation: WriteOperation,
    item: Item,
    how: Attempt = { jobId: randomUUID() },
  ): Promise<UnifiedRecord> {
    const outcome = await attempt(resource, operation, item, how);
    if (outcome.kind !== 'written') throw new Error(JSON.stringify(outcome));
    const record = recordOf(resource, outcome.object);
    known.get(resource.definition.dataModel)?.push(record);
    return record;
  }

  function recordOf(resource: PushResource, object: PlatformObject): UnifiedRecord {
    const record = pullOf(resource).toUnified(object, lookupsOf(known, baseCurrency));
    if (!record) throw new Error('what was written is no record of its type');
    return record;
  }

  /** In what a new record is not as it was asked for, but for what the platform does not tell of it. */
  function notAsAsked(resource: PushResource, item: Item, record: UnifiedRecord): string[] {
    const { unread = [] } = sampleOf(resource);
    return unlike(resource.definition, item, record).filter((miss) => {
      const name = miss.replaceAll(/\[\d+\]/g, '');
      return !unread.some((one) => name.startsWith(`${one} is null`));
    });
  }

  /** The record as a pull of all has it now. */
  async function pulled(resource: PushResource, platformId: string): Promise<UnifiedRecord | undefined> {
    const pages = await pagesOf(pullOf(resource), await client());
    return pages
      .flatMap(({ objects }) => objects)
      .map((object) => pullOf(resource).toUnified(object, lookupsOf(known, baseCurrency)))
      .filter((record) => record !== null)
      .find((record) => record.platformId === platformId);
  }

  const living = ({ definition }: PushResource) => platform().livingIds(definition.dataModel);
  const creatable = resources
    .filter(({ create }) => create)
    .map((resource) => [resource.definition.dataModel, resource] as const);
  const updatable = resources
    .filter(({ update }) => update)
    .map((resource) => [resource.definition.dataModel, resource] as const);

  describe('a write', () => {
    test.each(creatable)('of %s makes what was asked for, and a pull has it too', async (_name, resource) => {
      for (const item of sampleOf(resource).creates) {
        const record = await written(resource, 'CREATE', item);
        expect(notAsAsked(resource, item, record)).toEqual([]);
        expect(record.unresolved ?? false).toBe(false);
        const later = await pulled(resource, record.platformId);
        expect(later && comparable(resource.definition, later)).toEqual(
          comparable(resource.definition, record),
        );
      }
    });

    test.each(creatable)('of %s that is sent again makes nothing more', async (_name, resource) => {
      const [item] = sampleOf(resource).creates;
      const again = varied(resource.definition.dataModel, item);
      const how = { jobId: randomUUID() };
      const before = await living(resource);
      const { platformId } = await written(resource, 'CREATE', again, how);
      expect(await living(resource)).toHaveLength(before.length + 1);
      // By a worker that knows of the first, and by one that does not.
      const attempts = [{ ...how, firstSentAt: new Date() }, ...(push.idempotencyKey ? [how] : [])];
      for (const one of attempts) {
        if (push.idempotencyKey ?? resource.find) {
          expect((await written(resource, 'CREATE', again, one)).platformId).toBe(platformId);
        } else {
          expect((await attempt(resource, 'CREATE', again, one)).kind).toBe('unknowable');
        }
      }
      expect(await living(resource)).toHaveLength(before.length + 1);
    });

    const inSteps = creatable.filter(([, { create, readBack }]) => create?.follow ?? readBack);
    if (inSteps.length > 0) {
      test.each(inSteps)(
        'of %s that dies between its steps makes nothing more, and all that was asked for',
        async (dataModel, resource) => {
          const item = varied(dataModel, sampleOf(resource).creates.at(-1) ?? {});
          const how = { jobId: randomUUID(), noted: { object: null } };
          const before = await living(resource);
          onFailPoint((point) => {
            if (point === 'between the steps of a write') throw new Error('died');
          });
          try {
            await expect(attempt(resource, 'CREATE', item, how)).rejects.toThrow('died');
          } finally {
            onFailPoint(() => undefined);
          }
          expect(how.noted.object).not.toBeNull();
          // By a worker that was told, twice, and by one that died before it could note anything.
          const untold = { jobId: how.jobId, firstSentAt: new Date() };
          const isKnown = (push.idempotencyKey ?? resource.find) !== undefined;
          const attempts = [{ ...how, firstSentAt: new Date() }, how, ...(isKnown ? [untold] : [])];
          for (const one of attempts) {
            const record = await written(resource, 'CREATE', item, one);
            expect(unlike(resource.definition, item, record)).toEqual([]);
          }
          if (!isKnown) expect((await attempt(resource, 'CREATE', item, untold)).kind).toBe('unknowable');
          expect(await living(resource)).toHaveLength(before.length + 1);
        },
      );
    }

    const batched = creatable.flatMap(([name, resource]) =>
      resource.batch ? [[name, resource, resource.batch] as const] : [],
    );
    if (batched.length > 0) {
      test.each(batched)(
        'of several %s by one request says of each what became of it, and is carried out once',
        async (dataModel, resource, how) => {
          const { creates, refused } = sampleOf(resource);
          const pathOf = async (item: Item) => {
            const { request } = await requestOf(resource, 'CREATE', item, randomUUID());
            return (JSON.parse(request) as WriteRequest).path;
          };
          const good = await firstOf(creates, async (item) => how.isFor(await pathOf(item)));
          const path = await pathOf(good);
          const bad = await firstOf(refused, async ({ item }) => (await pathOf(item)) === path);
          const items = [varied(dataModel, good), bad.item, varied(dataModel, good)];
          const requests: string[] = [];
          for (const item of items) {
            requests.push((await requestOf(resource, 'CREATE', item, randomUUID())).request);
          }
          const before = await living(resource);
          const { form } = await requestOf(resource, 'CREATE', good, randomUUID());
          const sending = await sendingOf(resource, 'CREATE', form);
          const plain = items.map(() => ({ file: null, lateUntil: null }));
          const batch = { id: batchIdOf(3, randomUUID()), how, items: plain, requests, isAgain: false };
          const { outcomes } = await sendBatch(sending, batch);
          expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'refused', 'written']);
          const ids = outcomes.map((outcome, index) => {
            if (outcome.kind === 'refused') {
              expect(outcome.problem.code).toBe(bad.code);
              expect(writePath(toWirePath(outcome.problem.path))).toBe(bad.field);
            }
            if (outcome.kind !== 'written') return null;
            const record = recordOf(resource, outcome.object);
            expect(notAsAsked(resource, items[index] ?? {}, record)).toEqual([]);
            known.get(dataModel)?.push(record);
            return record.platformId;
          });
          expect(await living(resource)).toHaveLength(before.length + 2);
          if (!push.idempotencyKey) return;
          const again = await sendBatch(sending, { ...batch, isAgain: true });
          const idOf = (outcome: Outcome) =>
            outcome.kind === 'written' ? recordOf(resource, outcome.object).platformId : null;
          expect(again.outcomes.map(idOf)).toEqual(ids);
          expect(await living(resource)).toHaveLength(before.length + 2);
        },
      );
    }

    const findable = creatable.filter(([, { find }]) => find);
    if (findable.length > 0) {
      test.each(findable)('of %s is found by its marker', async (dataModel, resource) => {
        const how = { jobId: randomUUID() };
        const item = varied(dataModel, sampleOf(resource).creates[0]);
        const record = await written(resource, 'CREATE', item, how);
        const found = await resource.find?.(await client(), { marker: markerOf(how.jobId), item });
        expect(found && recordOf(resource, found).platformId).toBe(record.platformId);
        expect(await resource.find?.(await client(), { marker: markerOf(randomUUID()), item })).toBeNull();
      });
    }

    /** Of a platform where nothing is changed there is nothing to test. */
    const eachChange = (
      title: string,
      work: (dataModel: string, resource: PushResource) => Promise<void>,
    ) => {
      if (updatable.length > 0) test.each(updatable)(title, work);
    };

    eachChange('that changes one of %s changes what it names alone', async (dataModel, resource) => {
      const { creates, update } = sampleOf(resource);
      if (!update) throw new Error(`there is no change of ${dataModel}`);
      const made = varied(dataModel, creates.at(-1) ?? creates[0]);
      const before = await written(resource, 'CREATE', made);
      const item = { ...update.item, platform_id: before.platformId };
      const after = await written(resource, 'UPDATE', item);
      expect(unlike(resource.definition, item, after)).toEqual([]);
      const named = Object.entries(resource.definition.own).flatMap(([field, { wire }]) =>
        wire in item ? [field] : [],
      );
      const free = [...named, ...(update.also ?? []), 'updatedAt'];
      expect(without(free, comparable(resource.definition, after))).toEqual(
        without(free, comparable(resource.definition, before)),
      );
      const later = await pulled(resource, before.platformId);
      expect(later && comparable(resource.definition, later)).toEqual(comparable(resource.definition, after));
    });

    test.each(creatable)('of %s that is refused says why, and makes nothing', async (_name, resource) => {
      const { refused } = sampleOf(resource);
      expect(refused).not.toEqual([]);
      for (const { item, code, field } of refused) {
        const before = await living(resource);
        const outcome = await attempt(resource, 'CREATE', item, { jobId: randomUUID() });
        expect(outcome).toMatchObject({ kind: 'refused', problem: { code } });
        if (outcome.kind !== 'refused') continue;
        expect(writePath(toWirePath(outcome.problem.path))).toBe(field);
        expect(outcome.problem.platformError).toBeTruthy();
        expect(await living(resource)).toEqual(before);
      }
    });

    eachChange('that changes one of %s that is not there is denied', async (dataModel, resource) => {
      const { update } = sampleOf(resource);
      const ofType = known.get(dataModel) ?? [];
      const [absent] = ofType;
      if (!absent) throw new Error('there is none to take the place of');
      const platformId = unusedIdOf(platform(), dataModel);
      ofType.push({ ...absent, platformId });
      const item = { ...update?.item, platform_id: platformId };
      const outcome = await attempt(resource, 'UPDATE', item, { jobId: randomUUID() });
      // Its code is another's.
      ofType.pop();
      expect(outcome).toMatchObject({ kind: 'refused', problem: { code: 'operation-denied' } });
    });
  });

  describe('a refusal', () => {
    const all = resources.map((resource) => [resource.definition.dataModel, resource] as const);

    test.each(all)('of %s that says nothing that we know is the platform denying it', (_name, resource) => {
      for (const text of ['<html><title>Bad Request</title></html>', '', 'no']) {
        const problem = resource.refusal({ status: 400, body: null, text });
        expect(problem).toMatchObject({ code: 'platform-denied', path: [] });
        expect(problem.words).toContain(connector.title);
      }
    });

    test.each(all)('of %s of an odd shape has a code all the same', (_name, resource) => {
      const bodies = [{}, { Error: 7, Elements: 'none' }, { Elements: [null, { ValidationErrors: [{}] }] }];
      for (const body of bodies) {
        for (const status of [400, 403, 404, 422]) {
          const problem = resource.refusal({ status, body, text: JSON.stringify(body) });
          expect(WRITE_ERROR_CODES).toContain(problem.code);
          expect(problem.words).not.toBe('');
        }
      }
    });
  });

  describe('a form', () => {
    const forms = resources.flatMap((resource) =>
      (['create', 'update'] as const).flatMap((name) => {
        const form = resource[name];
        return form ? [[name, resource.definition.dataModel, form, resource] as const] : [];
      }),
    );

    test.each(forms)(
      'to %s %s is a JSON Schema that says what is needed',
      (name, dataModel, form, resource) => {
        const schema = jsonSchemaOf(form.input);
        expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
        const { creates, update } = sampleOf(resource);
        const items: readonly Item[] =
          name === 'create' ? creates : [{ ...update?.item, platform_id: 'an id' }];
        const byOthers = z.fromJSONSchema(schema);
        const needed = (schema['required'] ?? []) as readonly string[];
        for (const item of items) {
          expect(byOthers.safeParse(item).error?.issues ?? []).toEqual([]);
          for (const field of needed) {
            const { [field]: _, ...rest } = item;
            expect(byOthers.safeParse(rest).success).toBe(false);
            const { problem } = checkItem(form, rest);
            expect(problem?.code).toBe('missing-params');
            expect(writePath(toWirePath(problem?.path ?? []))).toBe(field);
          }
        }
        if (name === 'update') expect(needed).toEqual(['platform_id']);
        expect(strangeNames(form, dataModel)).toEqual([]);
      },
    );
  });
}

const OF_WRITES = [...WRITE_ONLY, ...Object.keys(DETAILS)];

/** Fields of a form that records of its type do not have: `unlike` could not tell what came of them. */
function strangeNames(form: WriteForm, dataModel: string): string[] {
  const own = formNames(dataModel);
  return Object.keys(jsonSchemaOf(form.input)['properties'] ?? {}).filter((name) => !own.has(name));
}

function formNames(dataModel: string): ReadonlySet<string> {
  const { fields, relations } = definitionFor(dataModel);
  const wires = [...Object.values(fields), ...Object.values(relations)].flatMap(({ wire }) => wire ?? []);
  return new Set([...wires, ...OF_WRITES]);
}

type Comparable = ReturnType<typeof comparable>;

function without(names: readonly string[], record: Comparable): Comparable {
  const others = (object: Item) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
  return { ...record, values: others(record.values), lines: others(record.lines) };
}

async function firstOf<One>(list: readonly One[], is: (one: One) => Promise<boolean>): Promise<One> {
  for (const one of list) if (await is(one)) return one;
  throw new Error('there is none such');
}

let variations = 0;

/** The same item once more, where what is unique must not be twice. */
function varied(dataModel: string, item: Item): Item {
  variations += 1;
  const suffix = String(variations).padStart(3, '0');
  const names = ['document_number', ...(UNIQUE[dataModel] ?? [])].filter(
    (name) => typeof item[name] === 'string',
  );
  const isMail = (name: string) => name === 'email';
  const changed = (name: string) =>
    isMail(name) ? `${suffix}-${String(item[name])}` : `${String(item[name])}-${suffix}`;
  return { ...item, ...Object.fromEntries(names.map((name) => [name, changed(name)])) };
}

const UNIQUE: Readonly<Record<string, readonly string[]>> = {
  ACCOUNTS: ['name', 'nominal_code'],
  BANK_ACCOUNTS: ['account_name'],
  TAX_RATES: ['name', 'code'],
  TRACKING_CATEGORIES: ['name'],
  ITEMS: ['name', 'code'],
  CONTACTS: ['name'],
  ECOMMERCE_CUSTOMERS: ['email'],
};
