import { randomUUID } from 'node:crypto';
import type { SandboxContext } from '../context.js';
import { Failure } from '../failure.js';
import { type Call, header } from '../http/call.js';
import { HANG, json, type Reply } from '../http/reply.js';
import { matchRoute, type Route } from '../http/router.js';
import { decideConsent, showConsent } from '../oauth/authorize.js';
import { decideShopConsent, exchangeForShop, showShopConsent } from '../oauth/per-shop.js';
import { exchange, revoke } from '../oauth/token.js';
import { type Platform } from '../platform.js';
import { authenticate, type Caller, requireScope } from './bearer.js';
import { type Fault, isFault } from './faults.js';

/** An authenticated call, within the limits. */
export interface ApiCall extends Call {
  readonly context: SandboxContext;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
}

export type ApiHandler = (call: ApiCall) => Promise<Reply>;

/** A platform: its routes, and how it presents failures. */
export interface PlatformApi {
  readonly platform: Platform;
  readonly routes: readonly Route<ApiHandler>[];
  /** Extra checks of every call, after authentication. Throws Failure. */
  readonly checkCall?: (call: ApiCall) => void;
  readonly presentFailure: (failure: Failure, traceId: string) => Reply;
}

type OpenHandler = (
  context: SandboxContext,
  platform: Platform,
  call: Call,
  params: Readonly<Record<string, string>>,
) => Promise<Reply>;

const OAUTH: readonly Route<OpenHandler>[] = [
  ['GET', '/oauth/authorize', showConsent],
  ['POST', '/oauth/authorize', decideConsent],
  ['POST', '/oauth/token', exchange],
  ['POST', '/oauth/revoke', revoke],
];

/** Shops have OAuth endpoints per shop, too. */
const PER_SHOP: readonly Route<OpenHandler>[] = [
  ['GET', '/shops/:shop/oauth/authorize', showShopConsent],
  ['POST', '/shops/:shop/oauth/authorize', decideShopConsent],
  ['POST', '/shops/:shop/oauth/access_token', exchangeForShop],
];

/** Details of a call for the statistics. */
interface Trail {
  account: string | null;
  pattern: string;
}

/** Answers a call under a platform's path. Never throws. */
export async function answerPlatform(
  context: SandboxContext,
  api: PlatformApi,
  call: Call,
  onFinished: (finished: () => void) => void,
): Promise<Reply> {
  const trail: Trail = { account: null, pattern: '(unknown)' };
  const traceId = randomUUID();
  const reply = await answer(context, api, call, { trail, onFinished, traceId }).catch((error: unknown) =>
    presentError(context, api, error, traceId),
  );
  context.statistics.request({
    platform: api.platform,
    path: trail.pattern,
    method: call.method,
    status: reply.fate === 'hang' ? 0 : reply.status,
    account: trail.account,
  });
  return reply;
}

function presentError(context: SandboxContext, api: PlatformApi, error: unknown, traceId: string): Reply {
  if (error instanceof Failure) return api.presentFailure(error, traceId);
  context.log.error({ err: error, traceId }, 'the sandbox failed');
  return api.presentFailure(new Failure('server-error', 'something went wrong'), traceId);
}

interface AnswerOptions {
  readonly trail: Trail;
  readonly onFinished: (finished: () => void) => void;
  readonly traceId: string;
}

async function answer(
  context: SandboxContext,
  api: PlatformApi,
  call: Call,
  { trail, onFinished, traceId }: AnswerOptions,
): Promise<Reply> {
  const { platform } = api;
  const path = call.path.slice(platform.length + 1);
  const open = matchRoute(platform === 'ecommerce' ? [...OAUTH, ...PER_SHOP] : OAUTH, call.method, path);
  if (typeof open !== 'string') {
    trail.pattern = open.pattern;
    return withFault(context, api, { call, account: null, traceId }, () =>
      open.handler(context, platform, call, open.params),
    );
  }
  const match = matchRoute<ApiHandler>([...api.routes, ['GET', '/oauth/whoami', whoami]], call.method, path);
  if (typeof match !== 'string') trail.pattern = match.pattern;
  const caller = await authenticate(context.pool, platform, call);
  const { account } = caller;
  trail.account = account.id;
  if (account.dead === 'hang') return HANG;
  if (account.dead === '503') throw new Failure('unavailable', 'the platform is down');
  const admission = context.limiter.admit(`${platform} ${account.id}`, context.settings.limits[platform]);
  onFinished(admission.leave);
  if (match === 'no-path') throw new Failure('not-found', `there is nothing at ${call.path}`);
  if (match === 'no-method') throw new Failure('not-supported', `${call.method} is not possible here`);
  const apiCall: ApiCall = { ...call, context, caller, params: match.params };
  requireScope(caller, call.method);
  if (match.pattern !== '/oauth/whoami') api.checkCall?.(apiCall);
  const reply = await withFault(context, api, { call, account: account.id, traceId }, () =>
    match.handler(apiCall).catch((error: unknown) => presentError(context, api, error, traceId)),
  );
  if (admission.remaining === null) return reply;
  return {
    ...reply,
    headers: { ...reply.headers, 'sandbox-limit-remaining': String(admission.remaining) },
  };
}

const whoami: ApiHandler = async ({ caller: { account, clientId, scope, expiresAt } }) =>
  json(200, {
    account: { id: account.id, name: account.name },
    client_id: clientId,
    scope,
    expires_at: expiresAt.toISOString(),
  });

interface FaultTargetCall {
  readonly call: Call;
  readonly account: string | null;
  readonly traceId: string;
}

async function withFault(
  context: SandboxContext,
  api: PlatformApi,
  { call, account, traceId }: FaultTargetCall,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const fault = faultOf(context, api.platform, call, account);
  if (fault === null) return work();
  switch (fault) {
    case '400':
      return api.presentFailure(new Failure('bad-request', 'a fault: it is not as it should be'), traceId);
    case '429':
      return api.presentFailure(
        new Failure('too-many-requests', 'a fault: too many requests', {
          headers: { 'retry-after': '1', 'sandbox-limit-problem': 'minute' },
        }),
        traceId,
      );
    case '500':
      return api.presentFailure(new Failure('server-error', 'a fault: something went wrong'), traceId);
    case 'expired-token':
      return api.presentFailure(new Failure('token-expired', 'the access token has expired'), traceId);
    case 'html':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<html><body><h1>502 Bad Gateway</h1></body></html>\n',
      };
    case 'hang':
      return HANG;
    case 'cut':
      return { ...(await work()), fate: 'cut' };
    case 'timeout-after-commit':
      await work();
      return HANG;
    case 'commit-late':
      // Read the body now: it is gone once the connection is cut.
      await call.body();
      context.faults.hold(work);
      return { status: 200, headers: {}, body: '{}', fate: 'cut' };
    default:
      return fault satisfies never;
  }
}

function faultOf(
  { settings, faults }: SandboxContext,
  platform: Platform,
  call: Call,
  account: string | null,
): Fault | null {
  if (!settings.control) return null;
  const asked = header(call, 'sandbox-fault');
  if (isFault(asked)) return asked;
  return faults.next({ platform, account, path: call.path, method: call.method });
}
