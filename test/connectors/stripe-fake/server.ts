import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Answer } from '../fault-proxy.js';
import { API_VERSION, type StripeAccount } from './account.js';
import { json, noKey, Refusal, unknownKey, unknownUrl, wrongVersion } from './errors.js';
import { Query } from './query.js';
import { contentAt } from './routes.js';

const ROOT = '/v1/';

export interface StripeFake {
  readonly url: string;
  /** Paths with queries of all calls that there were. */
  readonly calls: readonly string[];
  /** A restricted key. */
  issueKey(): string;
  stop(): Promise<void>;
}

/** Stripe's API, as far as it is read, for one account. */
export async function startStripeFake(account: StripeAccount): Promise<StripeFake> {
  const calls: string[] = [];
  const keys = new Set<string>();
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    const { status, headers, body } = answerTo(request, { account, keys });
    response.writeHead(status, { ...headers, 'stripe-version': API_VERSION }).end(body);
  });
  // Longer than any test: a connection that is closed while a call sets out looks like a fault.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    issueKey: () => {
      const key = `rk_live_${String(keys.size + 1).padStart(24, '0')}`;
      keys.add(key);
      return key;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Stripe {
  readonly account: StripeAccount;
  readonly keys: ReadonlySet<string>;
}

function answerTo(request: IncomingMessage, { account, keys }: Stripe): Answer {
  const { authorization, 'stripe-version': version } = request.headers;
  const key = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (key === undefined) return noKey;
  if (!keys.has(key)) return unknownKey(key);
  if (version !== API_VERSION) return wrongVersion(String(version));
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const { method = 'GET' } = request;
  if (method !== 'GET' || !pathname.startsWith(ROOT)) return unknownUrl(method, pathname);
  const path = pathname.slice(ROOT.length).split('/').map(decodeURIComponent);
  try {
    return json(200, contentAt(path, { account, query: new Query(searchParams) }));
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}
