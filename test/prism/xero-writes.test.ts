import { describe, expect, test } from '@jest/globals';

import { plainAccess } from '../../src/connectors/platform-access.js';
import { type UnifiedRecord } from '../../src/connectors/pull.js';
import { parsePlatformJson, stringifyPlatformJson } from '../../src/connectors/values/platform-json.js';
import { type PushResource, type WriteForm, type WriteRequest } from '../../src/connectors/push.js';
import { classifyXero } from '../../src/connectors/xero/answers.js';
import { createXeroClient } from '../../src/connectors/xero/client.js';
import { xero } from '../../src/connectors/xero/index.js';
import { checkItem } from '../../src/writes/checks/check-item.js';
import { referencesTo } from '../connectors/conformance-push.js';
import { type Item, type WriteSample } from '../connectors/write-samples.js';
import { expectedOf } from '../connectors/xero-fake/expected/index.js';
import { makeOrganisation } from '../connectors/xero-fake/makers/organisation.js';
import { xeroSamples } from '../connectors/xero-fake/write-samples.js';
import { mock } from './mock.js';

const organisation = expectedOf(makeOrganisation());
const living = new Map(
  xero.pulls.map(({ definition: { dataModel } }): [string, UnifiedRecord[]] => [
    dataModel,
    [...organisation.of(dataModel)],
  ]),
);
const samples = xeroSamples(living);
const resources = xero.push?.resources ?? [];
const sampleOf = ({ definition }: PushResource) => samples[definition.dataModel] as WriteSample;

/** The request of an item, as a worker keeps it. */
function requestOf(form: WriteForm, item: Item): WriteRequest {
  const { value, problem } = checkItem(form, item);
  expect(problem).toBeNull();
  const request = form.toRequest(value ?? {}, {
    references: referencesTo(living),
    marker: 'svc-example',
    current: null,
  });
  return parsePlatformJson(stringifyPlatformJson(request)).value as WriteRequest;
}

/** What Prism says of a request: it refuses what the description does not allow. */
async function answerTo({ method, path, query = {}, body }: WriteRequest) {
  const client = createXeroClient({
    ...plainAccess({ baseUrl: mock.url, accessToken: 'any', externalAccountId: 'any' }),
  });
  const reply = await client.send({
    method,
    path,
    query: Object.entries(query),
    headers: { 'content-type': 'application/json', 'idempotency-key': 'svc-example' },
    body: stringifyPlatformJson(body),
    timeoutMs: 60_000,
    maxBytes: 10_000_000,
  });
  const violations = reply.headers['sl-violations'] ?? '[]';
  const ofRequest = (JSON.parse(violations) as { location: string[] }[]).filter(
    ({ location: [part] }) => part === 'request',
  );
  return { status: reply.status, ofRequest, body: parsePlatformJson(reply.text).value as Item };
}

/** What the examples say that show an object which was refused, by path. */
const REFUSED_EXAMPLES: Readonly<Record<string, object>> = {
  '/PurchaseOrders': {
    code: 'record-already-exists',
    path: ['documentNumber'],
    platformError: 'Order number must be unique',
  },
  '/BankTransactions': {
    code: 'missing-params',
    path: ['contactId'],
    platformError: expect.stringContaining('The Contact must contain at least 1 of the following elements'),
  },
  '/Payments': {
    code: 'invalid-params',
    platformError: 'Payment amount exceeds the amount outstanding on this document',
  },
  '/Items': {
    code: 'record-already-exists',
    platformError: expect.stringContaining('Price List Item with Code'),
  },
  '/ManualJournals': {
    code: 'invalid-params',
    path: ['journalLines'],
    platformError: 'The total debits (100.00) must equal total credits (-10.00)',
  },
};

describe("what is written, by Xero's official API description", () => {
  test.each(resources.map((resource) => [resource.definition.dataModel, resource] as const))(
    'requests that create %s are allowed, and the example of the answer is understood',
    async (_name, resource) => {
      for (const item of sampleOf(resource).creates) {
        if (!resource.create) continue;
        const request = requestOf(resource.create, item);
        const { status, ofRequest, body } = await answerTo(request);
        expect([status, ofRequest]).toEqual([200, []]);
        expect(resource.written(body, request)).not.toBeNull();
        const example = REFUSED_EXAMPLES[request.path];
        const verdict = classifyXero({ method: request.method, status, headers: {}, body });
        expect(verdict?.kind).toBe(example === undefined ? undefined : 'refused');
        if (example) expect(resource.refusal({ status, body, text: '' })).toMatchObject(example);
      }
    },
  );

  const updatable = resources.flatMap((resource) =>
    resource.update ? [[resource.definition.dataModel, resource, resource.update] as const] : [],
  );
  test.each(updatable)('requests that change %s are allowed', async (dataModel, resource, form) => {
    const platform_id = living.get(dataModel)?.[0]?.platformId;
    const item = { ...sampleOf(resource).update?.item, platform_id };
    const request = requestOf(form, item);
    const { status, ofRequest, body } = await answerTo(request);
    expect([status, ofRequest]).toEqual([200, []]);
    expect(resource.written(body, request)).not.toBeNull();
  });

  test.each([
    ['ACCOUNTS', '/Accounts', 'name'],
    ['CONTACTS', '/Contacts', 'name'],
  ])('the example of a refusal of %s is understood', (dataModel, path, field) => {
    const { example } = mock.examples['paths'][path].put.responses['400'].content['application/json'];
    const resource = resources.find(({ definition }) => definition.dataModel === dataModel);
    const problem = resource?.refusal({ status: 400, body: example, text: JSON.stringify(example) });
    expect(problem).toMatchObject({ code: 'record-already-exists', path: [field] });
  });
});
