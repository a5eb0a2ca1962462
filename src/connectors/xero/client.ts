import { type PlatformAccess } from '../platform-access.js';
import { type PassthroughClient, type PlatformClient } from '../platform.js';
import { createPlatformClient, type PlatformClientOptions } from '../client/platform-client.js';
import { classifyXero } from './answers.js';
import { remainingOf } from './limits.js';

export const XERO_TITLE = 'Xero';
export const XERO_API = 'https://api.xero.com';
const ACCOUNTING = '/api.xro/2.0';

type Tuning = Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'>;

/** A client for one organisation. `tuning` is for tests that cannot wait. */
export function createXeroClient(access: PlatformAccess, tuning: Tuning = {}): PlatformClient {
  return clientAt(XERO_API + ACCOUNTING, access, tuning);
}

/** A path that names its API, such as `/payroll.xro/1.0/Employees`. */
const OF_AN_API = /^(\/[a-z]+\.xro)(\/.*)$/;

/** Callers' requests go to the accounting API, or to another API named in the path: the same token works for all. */
export function createXeroPassthrough(access: PlatformAccess): PassthroughClient {
  const root = access.baseUrl?.replace(OF_AN_API_AT_END, '') ?? null;
  return {
    send: (call) => {
      const [, api, path] = OF_AN_API.exec(call.path) ?? [];
      if (api === undefined || path === undefined) return createXeroClient(access).send(call);
      const baseUrl = root === null ? null : root + api;
      return clientAt(XERO_API + api, { ...access, baseUrl }).send({ ...call, path });
    },
  };
}

const OF_AN_API_AT_END = /\/[a-z]+\.xro\/.*$/;

function clientAt(baseUrl: string, access: PlatformAccess, tuning: Tuning = {}): PlatformClient {
  return createPlatformClient({
    ...tuning,
    title: XERO_TITLE,
    access,
    baseUrl,
    classify: classifyXero,
    remaining: remainingOf,
    headers: (accessToken) => ({
      // Without it, Xero responds with XML.
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      'xero-tenant-id': access.externalAccountId,
    }),
  });
}
