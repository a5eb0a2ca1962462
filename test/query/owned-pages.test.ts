import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { readOwnedPages } from '../../src/query/pages/owned-pages.js';
import { keyOfSvcId, svcIdList } from '../../src/query/pages/svc-id-list.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

let app: App;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
  tenant = await createTenant(app, 'owned pages');
});
afterAll(() => app.close());

test('pages of many owners are told apart in time that grows with their rows', async () => {
  const owners = Array.from({ length: 30_000 }, (_, index) => index + 1);
  const context = { sql: app.database.sql(tenant.scope), limits: DEFAULT_LIMITS };
  const begun = performance.now();
  const pages = await readOwnedPages<number, { readonly svcId: number }>(
    context,
    owners,
    {},
    {
      list: svcIdList('companies', 'ASC'),
      keyOf: keyOfSvcId,
      // Owner n has n * 10 and what follows it; every third one has nothing.
      select: (query, rest) =>
        `SELECT k.place, o.* FROM companies c CROSS JOIN generate_series(1, ${owners.length}) AS k (place)
         CROSS JOIN LATERAL (
           SELECT t.svc_id AS "svcId" FROM generate_series(10 * k.place, 10 * k.place + 9) AS t (svc_id)
           WHERE k.place % 3 <> 0${rest}
         ) o WHERE ${query.within('c', 'svc_id')} ORDER BY k.place`,
      count: () => Promise.resolve(0),
    },
  );
  const found = pages.map(({ nodes }) => nodes.map(({ svcId }) => svcId));
  expect(found.slice(0, 3)).toEqual([
    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
    [20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
    [],
  ]);
  expect(found.flat()).toHaveLength(200_000);
  expect(performance.now() - begun).toBeLessThan(15_000);
});
