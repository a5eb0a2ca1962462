import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { type Answer } from '../fault-proxy.js';
import { type QuickbooksCompany } from './company.js';
import { fileAt } from './files.js';
import { Identity } from './identity.js';
import { notAuthorised, Refusal, tokenExpired, traced, unsupported } from './problems.js';
import { answerAt } from './routes.js';
import { preciseTime } from './wire/values.js';

const COMPANY = /^\/v3\/company\/([^/]+)\/(.+)$/;

export interface QuickbooksFake {
  /** All of Intuit's hosts in one: their paths differ. */
  readonly url: string;
  /** Paths with queries of all calls that there were. */
  readonly calls: readonly string[];
  readonly identity: Identity;
  stop(): Promise<void>;
}

interface Options {
  /** Where the company's files are; of another fake of the same company, for example. */
  readonly fileOrigin?: string;
}

/** QuickBooks Online as far as it is read and written, for one company. */
export async function startQuickbooksFake(
  company: QuickbooksCompany,
  { fileOrigin }: Options = {},
): Promise<QuickbooksFake> {
  const calls: string[] = [];
  const identity = new Identity(company.realmId);
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      calls.push(request.url ?? '');
      const origin = fileOrigin ?? `http://${request.headers.host}`;
      const text = Buffer.concat(chunks).toString();
      const answer = traced(answerTo({ request, text, origin }, { company, identity }));
      const isSmall = String(request.headers['accept-encoding'] ?? '').includes('gzip');
      const coding = isSmall ? { 'content-encoding': 'gzip' } : {};
      response.writeHead(answer.status, { ...answer.headers, ...coding });
      response.end(isSmall ? gzipSync(answer.body) : answer.body);
    });
  });
  // Longer than any test: a connection that is closed while a call sets out looks like a fault.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    identity,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Received {
  readonly request: IncomingMessage;
  readonly text: string;
  readonly origin: string;
}

interface Quickbooks {
  readonly company: QuickbooksCompany;
  readonly identity: Identity;
}

function answerTo({ request, text, origin }: Received, { company, identity }: Quickbooks): Answer {
  const { method = 'GET' } = request;
  const { authorization = '', accept = '' } = request.headers;
  const url = new URL(request.url ?? '', 'http://localhost');
  const other = identity.answer({ method, url, authorization, text }) ?? fileAt(request, company);
  if (other) return other;
  const [, realmId, rest = ''] = COMPANY.exec(url.pathname) ?? [];
  if (realmId === undefined) return unsupported(url.pathname);
  const token = /^Bearer (.+)$/.exec(authorization)?.[1] ?? '';
  const opened = identity.realmOf(token);
  if (opened === null) return tokenExpired(token);
  if (opened !== realmId) return notAuthorised;
  const path = rest.split('/').map(decodeURIComponent);
  try {
    const answer = answerAt({ method, path, query: url.searchParams, text }, { company, fileOrigin: origin });
    return accept.includes('application/json') || path[0] === 'download' ? answer : asXml(answer);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** What Intuit speaks unless it is asked for JSON. */
const asXml = ({ status }: Answer): Answer => ({
  status,
  headers: { 'content-type': 'application/xml;charset=UTF-8' },
  body: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><IntuitResponse xmlns="http://schema.intuit.com/finance/v3" time="${preciseTime(new Date())}"/>`,
});
