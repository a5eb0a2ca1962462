import { stringify } from 'lossless-json';

import { type Answer } from '../fault-proxy.js';
import { type Body, type Complaints } from './writes/input.js';

/** Xero's ways of saying no. */

export const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: stringify(body) ?? '',
});

const problem = (status: number, title: string, detail: string): Answer =>
  json(status, {
    Type: null,
    Title: title,
    Status: status,
    Detail: detail,
    Instance: 'f2a9a1f6-3a52-4d8e-9a53-6f4b2d1c0e9a',
    Extensions: {},
  });

export const noToken = problem(401, 'Unauthorized', 'AuthenticationUnsuccessful');
export const wrongTenant = problem(403, 'Forbidden', 'AuthenticationUnsuccessful');
export const noScope = problem(401, 'Unauthorized', 'AuthorizationUnsuccessful');
export const notFound: Answer = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: 'The resource you are looking for cannot be found',
};

export const tokenExpired = (expiredAt: Date): Answer => {
  const [, year = '', month = '', day = '', time = ''] =
    /^(\d+)-(\d+)-(\d+)T(.{8})/.exec(expiredAt.toISOString()) ?? [];
  return problem(401, 'Unauthorized', `TokenExpired: token expired at ${month}/${day}/${year} ${time}`);
};

export const badQuery = (message: string): Answer =>
  json(400, { ErrorNumber: 16, Type: 'QueryParseException', Message: message });

export const badPost = (message: string): Answer =>
  json(400, { ErrorNumber: 17, Type: 'PostDataInvalidException', Message: message });

export const keyTooLong = problem(400, 'Bad Request', 'Idempotency-Key must have at most 128 characters');
export const keyReused = problem(400, 'Bad Request', 'Idempotency-Key was used for another request');

const errorsOf = (messages: readonly string[] = []) => messages.map((Message) => ({ Message }));

/** What was sent comes back, with what is wrong with it. */
export function refused(body: Body, { ofWhole, ofLines }: Complaints): Answer {
  const lines = Object.fromEntries(
    ['LineItems', 'JournalLines'].flatMap((name) => {
      const list = body[name];
      if (!Array.isArray(list)) return [];
      const told = list.map((line: object, index) => ({
        ...line,
        ValidationErrors: errorsOf(ofLines.get(index)),
      }));
      return [[name, told]];
    }),
  );
  return json(400, {
    ErrorNumber: 10,
    Type: 'ValidationException',
    Message: 'A validation exception occurred',
    Elements: [{ ...body, ...lines, ValidationErrors: errorsOf(ofWhole) }],
  });
}

/** The body is empty: headers say it all. */
export const tooManyCalls: Answer = {
  status: 429,
  headers: {
    'retry-after': '1',
    'x-rate-limit-problem': 'minute',
    'x-minlimit-remaining': '0',
    'x-daylimit-remaining': '4711',
    'x-appminlimit-remaining': '9999',
  },
  body: '',
};

export const outOfOrder = problem(
  500,
  'An error occurred',
  'An error occurred in Xero. Check the API Status page http://status.developer.xero.com for current service status.',
);
