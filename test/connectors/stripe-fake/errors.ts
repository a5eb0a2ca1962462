import { type Answer } from '../fault-proxy.js';
import { ACCOUNT_ID } from './account.js';

/** Stripe's ways of saying no. */

export const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': 'req_fake00000001' },
  body: JSON.stringify(body),
});

interface Problem {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

export function problem(status: number, message: string, { type, code, param }: Problem = {}): Answer {
  const doc = code === undefined ? {} : { code, doc_url: `https://stripe.com/docs/error-codes/${code}` };
  return json(status, {
    error: {
      ...doc,
      message,
      ...(param === undefined ? {} : { param }),
      type: type ?? 'invalid_request_error',
    },
  });
}

/** A call that is refused. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(answer.body);
  }
}

export const noKey = problem(
  401,
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
);

export const unknownKey = (key: string): Answer =>
  problem(401, `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`);

export const wrongVersion = (version: string): Answer =>
  problem(400, `Invalid Stripe API version: ${version}. This fake knows the pinned version only.`);

export const unknownUrl = (method: string, path: string): Answer =>
  problem(404, `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs.`);

export const unknownParameter = (param: string): Answer =>
  problem(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });

export const badParameter = (param: string, message: string): Answer => problem(400, message, { param });

export const missing = (what: string, id: string, { status = 404, param = 'id' } = {}): Answer =>
  problem(status, `No such ${what}: '${id}'`, { code: 'resource_missing', param });

export const cannotExpand = (path: string): Answer =>
  problem(400, `This property cannot be expanded (${path}).`);

export const rateLimited: Answer = {
  ...problem(429, 'Request rate limit exceeded. Learn more about rate limits in our documentation.', {
    code: 'rate_limit',
  }),
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
};

export const ownFault: Answer = problem(
  500,
  "An unknown error occurred. We've been notified. If you're having difficulty, contact support.",
  { type: 'api_error' },
);

/** A restricted key without the right for a path. */
export const notPermitted: Answer = problem(
  403,
  `The provided key 'rk_live_************0001' does not have the required permissions for this endpoint on account '${ACCOUNT_ID}'. Having the 'rak_charge_read' permission would allow this request to continue.`,
);
