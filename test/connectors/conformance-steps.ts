import { describe, expect, test } from '@jest/globals';

import { type Connector } from '../../src/connectors/connector.js';
import { type PlatformClient } from '../../src/connectors/platform.js';
import { type PullResource, type UnifiedRecord } from '../../src/connectors/pull.js';
import { type ConformancePlatform, type Steps } from './conformance.js';
import { deletedIds, livingIds, recordsOf, saidToBeDeleted } from './listed.js';
import { pagesOf } from './pulls.js';

interface StepsPart {
  readonly connector: Connector;
  readonly steps: readonly (keyof Steps)[];
  readonly platform: () => ConformancePlatform;
  readonly client: () => Promise<PlatformClient>;
}

/** What was there before something was done, and when that was. */
interface Before {
  readonly since: Date;
  readonly ids: readonly string[];
}

/** Does to one record of each type what can be done to records of it, and looks how pulls tell of it. */
export function describeSteps({ connector, steps, platform, client }: StepsPart): void {
  if (steps.length === 0) return;

  const before = async (dataModel: string): Promise<Before> => ({
    since: platform().now?.() ?? new Date(),
    ids: await platform().livingIds(dataModel),
  });

  async function after(resource: PullResource, { since, ids }: Before) {
    const own = await client();
    const changes = resource.incremental ? await pagesOf(resource, own, { since, cursor: null }) : null;
    const all = recordsOf(resource, await pagesOf(resource, own)).map(([record]) => record);
    const living = new Map(all.filter(({ deleted }) => !deleted).map((one) => [one.platformId, one]));
    return {
      living,
      /** Whether an incremental pull tells of it; a complete one tells of all. */
      tells: (id: string) => changes === null || livingIds(resource, changes).includes(id),
      gone:
        changes === null
          ? ids.filter((id) => !living.has(id))
          : [
              ...saidToBeDeleted(resource, changes),
              ...(await deletedIds(resource, own, { since, before: ids })),
            ],
    };
  }

  /** At least one record type is there for each step. */
  async function onEach<Done>(
    step: ((dataModel: string) => Promise<Done | null>) | undefined,
    check: (resource: PullResource, done: Done, at: Before) => Promise<void>,
  ): Promise<void> {
    let count = 0;
    for (const resource of connector.pulls) {
      const { dataModel } = resource.definition;
      const at = await before(dataModel);
      const done = (await step?.(dataModel)) ?? null;
      if (done === null) continue;
      count += 1;
      await check(resource, done, at);
    }
    expect(count).toBeGreaterThan(0);
  }

  const statusOf = (record: UnifiedRecord | undefined): unknown => record?.values?.['status'];

  describe('a record', () => {
    if (steps.includes('archive'))
      test('that is archived stays and says so, and is in use again when it is restored', async () => {
        await onEach(platform().steps?.archive, async (resource, id, at) => {
          const { dataModel } = resource.definition;
          const { living, tells, gone } = await after(resource, at);
          expect([dataModel, tells(id), gone, statusOf(living.get(id))]).toEqual([
            dataModel,
            true,
            [],
            'ARCHIVED',
          ]);
          if (!steps.includes('restore')) return;
          const again = await before(dataModel);
          await platform().steps?.restore?.(dataModel, id);
          const restored = await after(resource, again);
          const status = statusOf(restored.living.get(id));
          expect([dataModel, restored.tells(id), status]).toEqual([dataModel, true, 'ACTIVE']);
        });
      });

    if (steps.includes('delete'))
      test('that is deleted is gone', async () => {
        await onEach(platform().steps?.delete, async (resource, id, at) => {
          const { dataModel } = resource.definition;
          const { gone, living } = await after(resource, at);
          expect([dataModel, new Set(gone), living.has(id)]).toEqual([dataModel, new Set([id]), false]);
        });
      });

    if (steps.includes('changeType'))
      test('that becomes one of another type is gone from where it was, and is there', async () => {
        await onEach(platform().steps?.changeType, async (resource, { platformId, becomes }, at) => {
          const { dataModel } = resource.definition;
          const old = await after(resource, at);
          expect([dataModel, new Set(old.gone), old.living.has(platformId)]).toEqual([
            dataModel,
            new Set([platformId]),
            false,
          ]);
          const other = connector.pulls.find(({ definition }) => definition.dataModel === becomes);
          if (!other) throw new Error(`${becomes} is not read`);
          const { tells, living } = await after(other, { ...at, ids: [] });
          expect([becomes, tells(platformId), living.has(platformId)]).toEqual([becomes, true, true]);
        });
      });
  });
}
