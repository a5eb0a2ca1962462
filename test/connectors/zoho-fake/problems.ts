import { LosslessNumber, stringify } from 'lossless-json';
import { type Decimal } from 'decimal.js';

import { type Answer } from '../fault-proxy.js';

export type Json = Readonly<Record<string, unknown>>;

/** An amount as a number with all its digits. */
export const num = (value: Decimal): LosslessNumber => new LosslessNumber(value.toFixed());

const JSON_TYPE = { 'content-type': 'application/json;charset=UTF-8' };

export const json = (status: number, body: Json, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: stringify(body) ?? '',
});

export const success = (body: Json): Answer => json(200, { code: 0, message: 'success', ...body });
export const created = (body: Json): Answer => json(201, { code: 0, message: 'success', ...body });

const problem = (status: number, code: number, message: string, headers: Answer['headers'] = {}): Answer =>
  json(status, { code, message }, headers);

/** A write that breaks a rule. */
export const refused = (code: number, message: string): Answer => problem(400, code, message);

export const invalidToken = problem(401, 14, 'Invalid value passed for authtoken.');
export const noRight = problem(401, 57, 'You are not authorized to perform this operation');
export const noMember = problem(
  401,
  6041,
  'This user is not associated with the CompanyID/CompanyName:10229182.',
);
export const notThere = problem(404, 1002, 'Resource does not exist.');
export const invalidValue = (name: string): Answer => problem(400, 2, `Invalid value passed for ${name}`);
export const internal = problem(500, 1000, 'Internal Error');
/** The same, although the status says that all is well. */
export const internalWith200 = problem(200, 1000, 'Internal Error');
export const tooManyCallsFor = (seconds: number): Answer =>
  problem(
    429,
    44,
    'For security reasons you have been blocked for some time as you have exceeded the maximum number of requests per minute.',
    {
      'retry-after': String(seconds),
    },
  );
export const throttledWith200: Answer = { ...tooManyCallsFor(1), status: 200 };
export const dayIsUsedUp = (limit: number, seconds: number): Answer =>
  problem(
    429,
    45,
    `The API call for this organization has exceeded the maximum call rate limit of ${limit}.`,
    {
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': String(seconds),
    },
  );
