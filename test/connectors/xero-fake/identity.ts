import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Answer } from '../fault-proxy.js';

/** An organisation at Xero that a user lets an app in to. */
export interface XeroTenant {
  /** Of the app's connection to it. */
  readonly id: string;
  readonly tenantId: string;
  readonly tenantName: string;
  /** An organisation unless it says otherwise. */
  readonly tenantType?: 'ORGANISATION' | 'PRACTICE';
}

export interface XeroIdentity {
  readonly url: string;
  /** From now on the user lets the app in to these organisations. */
  offer(tenants: readonly XeroTenant[]): void;
  /** Those that the app is still connected to. */
  living(): readonly XeroTenant[];
  /** What was asked for, as `POST /connect/token refresh_token`, since the last call. */
  heard(): string[];
  /** Lets the next such request wait, until it is answered or its caller has gone away. */
  hold(asked: string): Held;
  stop(): Promise<void>;
}

interface Held {
  /** Whether the caller did not wait for the answer. */
  isLeft(): boolean;
  answer(): void;
}

/** One user's consent: its newest refresh token, and the access tokens that came with it. */
interface Grant {
  refreshToken: string;
  readonly accessTokens: Set<string>;
}

/**
 * Xero's consent and tokens, for one user who lets the app in to several organisations at once and always says yes. A
 * refresh token works once. A token opens every organisation; any other request shows whether it does, and which one.
 */
export async function startXeroIdentity(): Promise<XeroIdentity> {
  let living: readonly XeroTenant[] = [];
  let heard: string[] = [];
  let made = 0;
  const grants: Grant[] = [];
  const holding = new Map<string, (send: () => void, response: ServerResponse) => void>();
  const issue = (grant: Grant): Answer => {
    made += 1;
    grant.refreshToken = `refresh ${made}`;
    grant.accessTokens.add(`access ${made}`);
    return json(200, {
      access_token: `access ${made}`,
      refresh_token: grant.refreshToken,
      token_type: 'Bearer',
      expires_in: 1800,
    });
  };
  const token = (form: URLSearchParams): Answer => {
    if (form.get('grant_type') === 'authorization_code') {
      const grant: Grant = { refreshToken: '', accessTokens: new Set() };
      grants.push(grant);
      return issue(grant);
    }
    const grant = grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'));
    return grant ? issue(grant) : json(400, { error: 'invalid_grant' });
  };
  const answer = ({ method = '', url: path = '', headers }: IncomingMessage, body: string): Answer => {
    const url = new URL(path, 'http://localhost');
    const form = new URLSearchParams(body);
    heard.push([method, url.pathname, form.get('grant_type')].filter(Boolean).join(' '));
    if (url.pathname === '/identity/connect/authorize') return consent(url.searchParams);
    if (url.pathname === '/connect/token') return token(form);
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!grants.some(({ accessTokens }) => accessTokens.has(bearer))) return json(401, { Status: 401 });
    if (method === 'DELETE') {
      living = living.filter(({ id }) => url.pathname !== `/connections/${id}`);
      return { status: 204, headers: {}, body: '' };
    }
    if (url.pathname === '/connections') return json(200, connectionsOf(living));
    const tenant = living.find(({ tenantId }) => tenantId === headers['xero-tenant-id']);
    if (!tenant) return json(403, { Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' });
    return json(200, { Organisations: [{ Name: tenant.tenantName }] });
  };

  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const send = () => {
        const { status, headers, body } = answer(request, Buffer.concat(chunks).toString());
        response.writeHead(status, headers).end(body);
      };
      const asked = `${request.method} ${request.url}`;
      const hold = holding.get(asked);
      holding.delete(asked);
      if (hold) hold(send, response);
      else send();
    });
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offer: (tenants) => {
      living = tenants;
    },
    living: () => living,
    heard: () => {
      const before = heard;
      heard = [];
      return before;
    },
    hold: (asked) => {
      let isLeft = false;
      let send = (): void => undefined;
      holding.set(asked, (answering, response) => {
        send = answering;
        response.once('close', () => (isLeft = !response.writableFinished));
      });
      return { isLeft: () => isLeft, answer: () => send() };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const connectionsOf = (tenants: readonly XeroTenant[]): readonly object[] =>
  tenants.map((tenant) => ({ tenantType: 'ORGANISATION', ...tenant }));

/** The user says yes. */
function consent(asked: URLSearchParams): Answer {
  const back = new URL(asked.get('redirect_uri') ?? '');
  back.searchParams.set('code', 'a code');
  back.searchParams.set('state', asked.get('state') ?? '');
  return { status: 302, headers: { location: back.href }, body: '' };
}

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
