import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { pageLinks } from '../../src/http/answers/page-links.js';
import { admin } from '../support/admin.js';
import { storeBooks } from '../support/books.js';
import { addSync } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'links');
  await storeBooks(acme);
  for (let count = 0; count < 3; count += 1) {
    await acme.company(`links ${count}`);
    await addSync(acme, { connectionId: acme.connectionId });
  }
  caller = await createCaller(app, acme.organisationId);
  for (let count = 0; count < 3; count += 1) {
    await admin.prisma.inviteLink.create({
      data: {
        svcOrganisationId: BigInt(acme.organisationId),
        svcCompanyId: BigInt(acme.companyId),
        inviteLinkId: `links-${acme.organisationId}-${count}`,
        integrations: [],
        integrationCategories: ['ACCOUNTING'],
      },
    });
  }
});
afterAll(() => app.close());

const linksOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
  );

const dataOf = (body: any): any[] => (Array.isArray(body.data) ? body.data : body.data.data);

describe('the header Link leads through', () => {
  test.each([
    ['/v3/accounting/accounts?limit=4&sort[nominal_code]=DESC&category[in]=ASSET,EXPENSE', 9, true],
    ['/v3/core/companies?limit=1', 4, false],
    ['/v3/core/invite_links?limit=1', 3, false],
    ['/v3/core/syncs?limit=1', 3, true],
    ['/sync?limit=1', 3, true],
    ['/invite_link?limit=2', 3, true],
  ])('%s', async (first, count, hasWayBack) => {
    const pages: string[] = [];
    let path: string | undefined = first;
    let back: string | undefined;
    const seen: unknown[] = [];
    while (path !== undefined) {
      const { status, headers, body } = await caller.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      pages.push(JSON.stringify(dataOf(body)));
      seen.push(...dataOf(body));
      const { next, prev } = linksOf(headers);
      back = prev;
      path = next;
    }
    expect(seen).toHaveLength(count);
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(count);
    if (hasWayBack) {
      const { body } = await caller.get(back ?? '');
      expect(JSON.stringify(dataOf(body))).toBe(pages[pages.length - 2]);
    } else expect(back).toBeUndefined();
  });

  test('the change log, which goes on for ever', async () => {
    const { headers, body } = await caller.get('/v3/core/changes?limit=2');
    const { next, prev } = linksOf(headers);
    expect(prev).toBeUndefined();
    const following = await caller.get(next ?? '');
    expect(following.body.data[0].position).toBeGreaterThan(body.data[1].position);
  });
});

test('a list of one page has no Link', async () => {
  const { headers } = await caller.get('/v3/accounting/currencies');
  expect(headers.get('link')).toBeNull();
});

test('a link keeps the other parameters, and nothing in it ends it before its time', () => {
  const url = '/v3/x?limit=2&next=old&name[eq]=a%3E%22b>;rel=evil&expand=y';
  expect(pageLinks(url, '/books', { next: 'a=b/c', prev: null })).toBe(
    '</books/v3/x?limit=2&name%5Beq%5D=a%3E%22b%3E;rel=evil&expand=y&next=a%3Db%2Fc>; rel="next"',
  );
});
