import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { App } from '../../src/app.js';
import { storeTokens } from '../../src/platforms/credentials.js';
import type { Tenant } from './seed.js';
import { testSecrets } from './sandbox.js';

export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How a platform responds to a request. */
export type PlatformHandler = (heard: Heard, response: ServerResponse) => void;

/** A platform under a test's control, at its own address. */
export interface OddPlatform {
  readonly url: string;
  readonly heard: Heard[];
  /** Sets how to respond from now on. Initially with `{}`. */
  answer(handler: PlatformHandler): void;
  close(): Promise<void>;
}

export async function startOddPlatform(): Promise<OddPlatform> {
  const heard: Heard[] = [];
  let handle: PlatformHandler = (_heard, response) => void response.end('{}');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      handle(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: (handler) => {
      handle = handler;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Gives a tenant's connection a token that does not expire. */
export function giveToken(app: App, tenant: Tenant, accessToken: string): Promise<void> {
  return storeTokens(
    {
      sql: app.database.sql(tenant.scope),
      secrets: testSecrets,
      connection: { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId },
    },
    { accessToken, refreshToken: null, expiresAt: null },
  );
}
