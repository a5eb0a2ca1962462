import { type Answer } from '../fault-proxy.js';

/** Shopify's ways of saying no, most of them with 200. */

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const json = (status: number, body: object): Answer => ({
  status,
  headers: JSON_TYPE,
  body: JSON.stringify(body),
});

export const unknownToken = json(401, {
  errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
});

export const notFound = json(404, { errors: 'Not Found' });

const refusal = (message: string, code: string, path: readonly string[], extensions: object = {}) =>
  json(200, { data: null, errors: [{ message, path, extensions: { code, ...extensions } }] });

export const noScope = (field = 'orders', scope = 'read_orders'): Answer =>
  refusal(
    `Access denied for ${field} field. Required access: \`${scope}\` access scope.`,
    'ACCESS_DENIED',
    [field],
    {
      documentation: 'https://shopify.dev/api/usage/access-scopes',
      requiredAccess: `\`${scope}\` access scope.`,
    },
  );

export const ownFault = json(200, {
  errors: [
    {
      message:
        'Internal error. Looks like something went wrong on our end.\nRequest ID: 8a0d7c2e (include this in support requests).',
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: '8a0d7c2e' },
    },
  ],
});

/** The buckets of a shop on the smallest plan, and of a large one. */
export const SMALL = { maximumAvailable: 2000, restoreRate: 100 };
export const LARGE = { maximumAvailable: 20_000, restoreRate: 1000 };

/** The state of the bucket, as every answer to a query has it. */
export const costExtension = (requestedQueryCost: number, currentlyAvailable: number, plan = SMALL) => ({
  cost: { requestedQueryCost, throttleStatus: { ...plan, currentlyAvailable } },
});

export const throttled = (demanded: number, left: number): Answer =>
  json(200, {
    errors: [
      {
        message: 'Throttled',
        extensions: { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' },
      },
    ],
    extensions: costExtension(demanded, left),
  });
