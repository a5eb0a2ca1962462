import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { AppError } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { ActiveKey } from '../../operations/keys/api-keys.js';
import {
  type Ask,
  type Borrow,
  type Counted,
  type Loan,
  RequestLoans,
  type Verdict,
} from './request-loans.js';

type RequestLimits = Pick<Limits, 'requestsPerMinute' | 'organisationRequestsPerMinute'>;

/** Counts a request, and throws `rate-limited` if it is one too many. `tell` gets the headers of the answer. */
export type AdmitRequest = (
  caller: Pick<ActiveKey, 'id' | 'scope'>,
  tell?: (headers: Readonly<Record<string, string>>) => void,
) => Promise<void>;

/** Limits the requests per minute of a key and of an organisation, across all processes. */
export function admitRequests(pool: pg.Pool, limits: RequestLimits): AdmitRequest {
  const { requestsPerMinute: max, organisationRequestsPerMinute: maxOfAll } = limits;
  const loans = new RequestLoans(borrowFrom(pool));
  return async ({ id, scope: { organisationId } }, tell) => {
    const ofKey: Counted = { organisationId, keyId: id, max };
    const ofAll: Counted = { organisationId, keyId: '', max: maxOfAll };
    // Requested together if something must be borrowed.
    const [key, all] = await Promise.all([
      max > 0 ? loans.take(ofKey) : null,
      maxOfAll > 0 ? loans.take(ofAll) : null,
    ]);
    tell?.(fieldsOf({ key, all, max, maxOfAll }));
    const refusal = [key, all].find((verdict) => verdict && !verdict.isAdmitted);
    if (!refusal) return;
    if (key?.isAdmitted) loans.giveBack(ofKey);
    if (all?.isAdmitted) loans.giveBack(ofAll);
    tell?.({ 'retry-after': String(refusal.seconds) });
    throw tooMany(refusal === key ? `${max} requests` : `${maxOfAll} requests of your organisation`, refusal);
  };
}

/** Limits a server's requests. */
export function limitRequests(server: FastifyInstance, admit: AdmitRequest): void {
  server.addHook('onRequest', async ({ caller }, reply) => {
    if (caller) await admit(caller, (headers) => void reply.headers(headers));
  });
}

interface Verdicts {
  readonly key: Verdict | null;
  readonly all: Verdict | null;
  readonly max: number;
  readonly maxOfAll: number;
}

/** The usual fields, and those of draft-ietf-httpapi-ratelimit-headers: each limit and the remaining quota. */
function fieldsOf({ key, all, max, maxOfAll }: Verdicts): Record<string, string> {
  const shown = key ?? all;
  if (!shown) return {};
  const policies = [
    { name: 'key', verdict: key, max },
    { name: 'organisation', verdict: all, max: maxOfAll },
  ].flatMap(({ verdict, ...policy }) => (verdict ? [{ ...policy, ...verdict }] : []));
  return {
    'x-ratelimit-limit': String(key ? max : maxOfAll),
    'x-ratelimit-remaining': String(shown.remaining),
    'x-ratelimit-reset': String(shown.seconds),
    'ratelimit-policy': policies.map((policy) => `"${policy.name}";q=${policy.max};w=60`).join(', '),
    ratelimit: policies
      .map(({ name, remaining, seconds }) => `"${name}";r=${remaining};t=${seconds}`)
      .join(', '),
  };
}

function tooMany(what: string, { seconds }: Verdict): AppError {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new AppError('rate-limited', `more than ${what} in a minute; try again in ${wait}`);
}

interface LoanRow {
  readonly loan: number;
  readonly lent_in_all: number;
  readonly minute_end: string;
  readonly milliseconds_left: number;
}

/** Loans from the database, whose clock defines the minute. */
export const borrowFrom =
  (pool: pg.Pool): Borrow =>
  async (asks) => {
    const column = <Name extends keyof Ask>(name: Name) => asks.map((ask) => ask[name]);
    const { rows } = await pool.query<LoanRow>(
      `SELECT loan, lent_in_all, minute_end, milliseconds_left
       FROM svc_borrow_requests($1, $2, $3, $4, $5, $6) ORDER BY place`,
      [
        column('organisationId'),
        column('keyId'),
        column('max'),
        column('wanted'),
        column('givenBack'),
        column('minuteEnd'),
      ],
    );
    return rows.map((row): Loan => ({
      loan: row.loan,
      lentInAll: row.lent_in_all,
      minuteEnd: Number(row.minute_end),
      millisecondsLeft: row.milliseconds_left,
    }));
  };
