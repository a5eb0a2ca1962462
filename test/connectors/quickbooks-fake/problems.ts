import { randomUUID } from 'node:crypto';

import { type Answer } from '../fault-proxy.js';
import { preciseTime } from './wire/values.js';

/** QuickBooks Online's ways of saying no: most begin with a capital, those of the gateway before it do not. */

const JSON_TYPE = { 'content-type': 'application/json;charset=utf-8' };

/** What Intuit's support asks for; every answer has it. */
export const traced = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, intuit_tid: `1-${randomUUID()}` },
});

export const json = (status: number, body: object): Answer => ({
  status,
  headers: JSON_TYPE,
  body: JSON.stringify(body),
});

interface Complaint {
  readonly message: string;
  readonly detail: string | null;
  readonly code: string;
  readonly element?: string;
  readonly type?: string;
}

export function fault(status: number, { message, detail, code, element, type }: Complaint): Answer {
  const one = { Message: message, Detail: detail, code, ...(element === undefined ? {} : { element }) };
  return json(status, {
    Fault: { Error: [one], type: type ?? 'ValidationFault' },
    time: preciseTime(new Date()),
  });
}

/** An answer before any data was looked at. */
function gatewayFault(status: number, { message, detail, code, type }: Complaint): Answer {
  return json(status, {
    warnings: null,
    intuitObject: null,
    fault: { error: [{ message, detail, code, element: null }], type: type ?? 'AUTHENTICATION' },
    report: null,
    queryResponse: null,
    batchItemResponse: [],
    attachableResponse: [],
    syncErrorResponse: null,
    requestId: null,
    time: Date.now(),
    status: null,
    cdcresponse: [],
  });
}

const challenge = { 'www-authenticate': 'Bearer realm="Intuit", error="invalid_token"' };

export function tokenExpired(token: string): Answer {
  const answer = gatewayFault(401, {
    message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401',
    detail: token === '' ? 'Authorization header missing' : `Token expired: ${token}`,
    code: '3200',
  });
  return { ...answer, headers: { ...answer.headers, ...challenge } };
}

const forbidden = (word: string): Answer =>
  gatewayFault(403, {
    message: `message=${word}; errorCode=003100; statusCode=403`,
    detail: null,
    code: '3100',
    type: 'SERVICE',
  });

/** The token is for other companies. */
export const notAuthorised = forbidden('ApplicationAuthorizationFailed');
/** The token lacks a scope, or its user a right. */
export const noScope = traced(forbidden('AuthorizationFailed'));

const throttled = gatewayFault(429, {
  message: 'message=ThrottleExceeded; errorCode=003001; statusCode=429',
  detail: 'The request limit was reached.  Try again later',
  code: '3001',
  type: 'SERVICE',
});

/** QuickBooks itself names no time. */
export const tooManyCalls: Answer = traced(throttled);

export const tooManyCallsFor = (seconds: number): Answer =>
  traced({ ...throttled, headers: { ...throttled.headers, 'retry-after': String(seconds) } });

const systemFault = {
  message: 'An application error has occurred while processing your request',
  detail: 'System Failure Error: Could not find resource for relative : /v3/company',
  code: '10000',
  type: 'SystemFault',
};

export const outOfOrder: Answer = traced(fault(500, systemFault));
/** The same, although the status says that all is well. */
export const outOfOrderWith200: Answer = traced(fault(200, systemFault));

export const notFound = fault(400, {
  message: 'Object Not Found',
  detail:
    "Object Not Found : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees.",
  code: '610',
  element: '',
});

export const invalidId = (supplied: string): Answer =>
  fault(400, {
    message: 'Invalid ID',
    detail: `Invalid ID : Id should be a valid number. Supplied value:${supplied}`,
    code: '2030',
    element: 'Id',
  });

/** Refusals of what is written, in the words of Intuit's guide to errors. */

export const missing = (parameter: string): Answer =>
  fault(400, {
    message: 'Required param missing, need to supply the required value for the API',
    detail: `Required parameter ${parameter} is missing in the request`,
    code: '2020',
    element: parameter,
  });

export const unreadable = (property: string): Answer =>
  fault(400, {
    message: 'Request has invalid or unsupported property',
    detail: `Property Name:${property} specified is unsupported or invalid`,
    code: '2010',
  });

export const wrongLength = (element: string, max: number, length: number): Answer =>
  fault(400, {
    message: 'String length specified does not match the supported length',
    detail: `String length is either shorter or longer than supported by specification. Min:0 Max:${max} supported. Supplied length:${length}`,
    code: '2050',
    element,
  });

export const wrongMail = (address: string): Answer =>
  fault(400, {
    message: 'Invalid Email Address format',
    detail: `Invalid Email Address format : Email Address:[${address}] should be in the correct format`,
    code: '2210',
  });

export const invalidReference = (element: string): Answer =>
  fault(400, {
    message: 'Invalid Reference Id',
    detail: `Invalid Reference Id : ${element}`,
    code: '2500',
    element,
  });

/** What is named is inactive: QuickBooks does not say which. */
export const inactiveReference = fault(400, {
  message: 'Invalid Reference Id',
  detail:
    "Invalid Reference Id : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees.",
  code: '2500',
  element: '',
});

export const staleObject = fault(400, {
  message: 'Stale Object Error',
  detail:
    'Stale Object Error : You and root were working on this at the same time. root finished before you did, so your work was not saved.',
  code: '5010',
  element: '',
});

export const duplicateName = fault(400, {
  message: 'Duplicate Name Exists Error',
  detail: 'The name supplied already exists. : null',
  code: '6240',
});

export const duplicateNumber = (number: string, type: string, id: string): Answer =>
  fault(400, {
    message: 'Duplicate Document Number Error',
    detail: `Duplicate Document Number Error : You must specify a different number. This number has already been used. DocNumber=${number} is assigned to TxnType=${type} with TxnId=${id}`,
    code: '6140',
    element: '',
  });

export const wrongAmount = (amount: string): Answer =>
  fault(400, {
    message: 'Amount calculation incorrect in the request',
    detail: `Amount calculation incorrect in the request : Amount is not equal to UnitPrice * Qty. Supplied value:${amount}`,
    code: '6070',
  });

export const business = (words: string): Answer =>
  fault(400, {
    message: 'A business validation error has occurred while processing your request',
    detail: `Business Validation Error: ${words}`,
    code: '6000',
    element: '',
  });

export const unsupported = (what: string): Answer =>
  fault(400, {
    message: 'Unsupported Operation',
    detail: `Operation ${what} is not supported.`,
    code: '500',
    element: what,
  });

export const badQuery = (detail: string): Answer =>
  fault(400, { message: 'Invalid query', detail: `QueryValidationError: ${detail}`, code: '4001' });

export const unreadableQuery = (detail: string): Answer =>
  fault(400, { message: 'Error parsing query', detail: `QueryParserError: ${detail}`, code: '4000' });

export const badChanges = (detail: string): Answer =>
  fault(400, { message: 'Invalid or missing parameter', detail, code: '2150' });

/** Refuses a call with an answer. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super('refused');
  }
}
