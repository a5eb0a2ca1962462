import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { records } from '../../src/records/index.js';
import { expandable } from '../../src/rest/shape.js';
import { createTenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let caller: Caller;
beforeAll(async () => {
  app = await startApp();
  caller = await createCaller(app, (await createTenant(app, 'operations')).organisationId);
});
afterAll(() => app.close());

/** Operations are made and validated when they are first wanted: one that does not fit the schema answers 500. */
test.each(records.map((definition) => [definition.model, definition] as const))(
  'the plainest and the fullest operation of %s fit the schema',
  async (_, definition) => {
    const path = `/v3/${definition.path}`;
    const everything = [...expandable(definition).keys()].join(',');
    const fullest = `expand=${everything}&select=data_hash,raw_data&include_deleted_records=true&return_count=true&return_position=true`;
    const answers = [
      await caller.get(path),
      await caller.get(`${path}?${fullest}`),
      await caller.post(`/${definition.unversionedPath}/all`, {}),
      await caller.post(`/${definition.unversionedPath}/all`, {
        expand: [...expandable(definition).keys()],
        include_deleted_records: true,
        return_position: true,
      }),
      await caller.get(`${path}/1`),
      await caller.get(`${path}/1?expand=${everything}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 404]);
  },
);
