import { createLog, type Logger } from '../telemetry/log.js';
import { isLoopbackHost } from '../base/values.js';
import { BOOKS } from './books/api.js';
import { DEMO_ACCOUNTS, type SandboxCompany } from './companies.js';
import type { SandboxContext } from './context.js';
import { answerControl } from './control/api.js';
import { FaultRules } from './gate/faults.js';
import { Limiter } from './gate/limits.js';
import { answerPlatform, type PlatformApi } from './gate/platform-api.js';
import { Statistics } from './gate/statistics.js';
import { Hooks } from './hooks.js';
import type { Call } from './http/call.js';
import { json, type Reply } from './http/reply.js';
import { listen } from './http/server.js';
import { makeCompany } from './make-account.js';
import { PAY } from './pay/api.js';
import { type Platform, PLATFORMS } from './platform.js';
import {
  type AccountLimits,
  DEFAULT_LIMITS,
  demoClient,
  type RegisteredClient,
  type Settings,
  SHARED_CLIENT,
  sharedClient,
} from './settings.js';
import { SHOP } from './shop/api.js';
import { AccountLocks } from './store/locks.js';
import { openPool } from './store/pool.js';

/** How to start the sandbox platforms; defaults are in docs/sandbox.md. */
export interface SandboxOptions {
  readonly databaseUrl: string;
  /** The sandbox's own schema in that database. */
  readonly schema?: string;
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  /** Created if they do not exist yet. */
  readonly companies?: readonly SandboxCompany[];
  /** Lifetime of access tokens, in seconds. */
  readonly expiresIn?: number;
  /** Seconds for which a used refresh token still works. */
  readonly refreshGrace?: number;
  /** Lifetime of authorisation codes, in seconds. */
  readonly codeLifetime?: number;
  readonly idempotency?: boolean;
  /** Whether to serve `/_sandbox` and inject faults. */
  readonly control?: boolean;
  /** For all platforms, or by platform. */
  readonly limits?: Partial<AccountLimits> & Partial<Readonly<Record<Platform, Partial<AccountLimits>>>>;
  /** For the demo clients, in addition to those in docs/sandbox.md. */
  readonly redirectUris?: readonly string[];
  /** In addition to the demo client of each platform. */
  readonly clients?: Partial<Readonly<Record<Platform, readonly RegisteredClient[]>>>;
  readonly log?: Logger;
}

/** The running platforms. */
export interface Sandbox {
  readonly url: string;
  readonly clients: Readonly<Record<Platform, RegisteredClient>>;
  /** Creates another company while the platforms run. */
  createCompany(company: SandboxCompany): Promise<number>;
  stop(): Promise<void>;
}

export { DEMO_ACCOUNTS, type SandboxCompany, SHARED_CLIENT };

const LOCAL = '127.0.0.1';
const LOOPBACK: readonly string[] = [LOCAL, '::1', 'localhost'];

const APIS: Readonly<Record<Platform, PlatformApi>> = { accounting: BOOKS, payments: PAY, ecommerce: SHOP };

/** Starts the three platforms; creates their tables and any missing companies. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const pool = await openPool(options.databaseUrl, options.schema ?? 'sandbox');
  const statistics = new Statistics();
  const log = options.log ?? createLog('error');
  const context: SandboxContext = {
    pool,
    locks: new AccountLocks(),
    settings: settingsOf(options),
    limiter: new Limiter(statistics),
    faults: new FaultRules(),
    statistics,
    hooks: new Hooks(log),
    log,
  };
  try {
    for (const company of options.companies ?? DEMO_ACCOUNTS) await makeCompany(context, company);
    const server = await listen({
      host: options.host ?? LOCAL,
      port: options.port ?? 0,
      answer: (call, onFinished) => answer(context, call, onFinished),
    });
    return {
      url: server.url,
      clients: byPlatform((platform) => demoClient(platform, options.redirectUris)),
      createCompany: (company) => makeCompany(context, company),
      stop: async () => {
        await server.stop();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function answer(
  context: SandboxContext,
  call: Call,
  onFinished: (finished: () => void) => void,
): Promise<Reply> {
  const [, first = '', ...rest] = call.path.split('/');
  const isOpen = first === '_sandbox' || rest.join('/').endsWith('oauth/authorize');
  if (isOpen && context.settings.isLocal && !isLoopbackHost(call.headers.host)) {
    return json(403, {
      error: 'Host must be localhost or 127.0.0.1: the sandbox listens on this machine only',
    });
  }
  const platform = PLATFORMS.find((one) => one === first);
  if (platform) return answerPlatform(context, APIS[platform], call, onFinished);
  if (first === '_sandbox' && context.settings.control) return answerControl(context, call);
  return json(call.path === '/' ? 200 : 404, {
    sandbox: 'SVC sandbox platforms: see docs/sandbox.md',
    platforms: PLATFORMS.map((one) => `/${one}`),
  });
}

function settingsOf(options: SandboxOptions): Settings {
  const { limits = {} } = options;
  const { perMinute, concurrent } = limits;
  const given = {
    ...(perMinute === undefined ? {} : { perMinute }),
    ...(concurrent === undefined ? {} : { concurrent }),
  };
  return {
    isLocal: LOOPBACK.includes(options.host ?? LOCAL),
    expiresIn: options.expiresIn ?? 1800,
    refreshGrace: options.refreshGrace ?? 0,
    codeLifetime: options.codeLifetime ?? 60,
    idempotency: options.idempotency ?? true,
    control: options.control ?? true,
    limits: byPlatform((platform) => ({ ...DEFAULT_LIMITS, ...given, ...limits[platform] })),
    clients: byPlatform((platform) => [
      demoClient(platform, options.redirectUris),
      sharedClient(options.redirectUris),
      ...(options.clients?.[platform] ?? []),
    ]),
  };
}

const byPlatform = <Value>(value: (platform: Platform) => Value): Record<Platform, Value> => ({
  accounting: value('accounting'),
  payments: value('payments'),
  ecommerce: value('ecommerce'),
});
