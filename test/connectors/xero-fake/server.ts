import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Answer } from '../fault-proxy.js';
import { type Organisation } from './domain.js';
import { type List, LISTS } from './lists.js';
import { noToken, notFound, tokenExpired, wrongTenant } from './problems.js';
import { reportOf } from './reports.js';
import { BadQuery, orderOf, pageOf, type Row, sinceOf, whereOf } from './query.js';
import { attachmentToWire } from './wire/documents.js';
import { companyToWire, trackingOptionToWire } from './wire/settings.js';
import { instant } from './wire/values.js';
import { createWriter } from './writes/index.js';

const ROOT = '/api.xro/2.0/';
const TOKEN_LIFE_MS = 30 * 60_000;

export interface XeroFake {
  readonly url: string;
  /** Paths with queries of all calls that there were. */
  readonly calls: readonly string[];
  /** A token that opens the organisation for half an hour. */
  issueToken(): string;
  /** Nothing listens there until the work is done. */
  away(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Xero's accounting API, as far as it is used, for one organisation. `now` is when what is written was; `dayLimit` are
 * the calls that it says there may be.
 */
export async function startXeroFake(
  organisation: Organisation,
  now: () => Date,
  dayLimit = 5000,
): Promise<XeroFake> {
  const calls: string[] = [];
  const tokens = new Map<string, Date>();
  const write = createWriter(organisation, now, (name, { id }, query) => {
    const options = organisation.trackingCategories.flatMap((category) => category.options);
    const option = name === 'Options' ? options.find((one) => one.id === id) : undefined;
    const object = option ? trackingOptionToWire(option) : LISTS.get(name)?.one(organisation, id, query);
    return envelope({ [name]: [object] }, 'application/json');
  });
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const text = Buffer.concat(chunks).toString();
      calls.push(request.url ?? '');
      const { status, headers, body } = answerTo({ request, text }, { organisation, tokens, write });
      const left = { 'x-daylimit-remaining': String(Math.max(0, dayLimit - calls.length)) };
      response.writeHead(status, { ...headers, ...left }).end(body);
    });
  });
  // Longer than any test: a connection that is closed while a call sets out looks like a fault.
  server.keepAliveTimeout = 600_000;
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    issueToken: () => {
      const token = `xero-access-token-${tokens.size}`;
      tokens.set(token, new Date(Date.now() + TOKEN_LIFE_MS));
      return token;
    },
    away: async (work) => {
      await stop();
      try {
        await work();
      } finally {
        await listen(port);
      }
    },
    stop,
  };
}

interface Call {
  readonly request: IncomingMessage;
  readonly text: string;
}

interface Xero {
  readonly organisation: Organisation;
  readonly tokens: ReadonlyMap<string, Date>;
  readonly write: ReturnType<typeof createWriter>;
}

function answerTo({ request, text }: Call, { organisation, tokens, write }: Xero): Answer {
  const { authorization = '', accept = '', 'xero-tenant-id': tenant } = request.headers;
  const expiresAt = tokens.get(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
  if (!expiresAt) return noToken;
  if (expiresAt.getTime() <= Date.now()) return tokenExpired(expiresAt);
  if (tenant !== organisation.tenantId) return wrongTenant;
  const url = new URL(request.url ?? '', 'http://localhost');
  if (!url.pathname.startsWith(ROOT)) return notFound;
  const { method = 'GET' } = request;
  if (method !== 'GET') {
    if (!request.headers['content-type']?.startsWith('application/json')) return notFound;
    const path = url.pathname.slice(ROOT.length).split('/').map(decodeURIComponent);
    const key = request.headers['idempotency-key']?.toString();
    return write({ method, path, query: url.searchParams, text, key });
  }
  try {
    const content = contentAt(url, request, organisation);
    return content ? envelope(content, accept) : notFound;
  } catch (error) {
    if (error instanceof BadQuery) return error.answer;
    throw error;
  }
}

function contentAt(url: URL, request: IncomingMessage, organisation: Organisation): object | null {
  const [name = '', id, what, ...more] = url.pathname.slice(ROOT.length).split('/');
  if (name === 'Organisation' && id === undefined) return organisationOf(organisation);
  if (name === 'Reports' && id !== undefined) return reportOf(organisation, id, url.searchParams);
  const list = LISTS.get(name);
  if (!list || more.length > 0) return null;
  if (id === undefined) return listed(name, list, { url, request, organisation });
  if (what === undefined) return one(name, list.one(organisation, decodeURIComponent(id), url.searchParams));
  return what === 'Attachments' ? attachmentsAt(name, decodeURIComponent(id), organisation) : null;
}

function organisationOf({ company, currencies }: Organisation): object {
  const base = currencies.find(({ worth }) => worth === '1');
  const own = { ...companyToWire(company), BaseCurrency: base?.id, CountryCode: 'NZ' };
  return { Organisations: [{ ...own, IsDemoCompany: true, OrganisationStatus: 'ACTIVE' }] };
}

const one = (name: string, row: Row | null): object | null => row && { [name]: [row] };

interface ListCall {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly organisation: Organisation;
}

function listed(name: string, list: List, { url, request, organisation }: ListCall): object {
  const query = url.searchParams;
  const since = sinceOf(request.headers['if-modified-since']);
  const rows = list.rows(organisation, { query, since }).filter(whereOf(query.get('where')));
  const order = query.get('order');
  if (order !== null) rows.sort(orderOf(order));
  return list.isPaged ? paged(name, rows, query) : { [name]: rows };
}

function paged(name: string, rows: readonly Row[], query: URLSearchParams): object {
  const asked = pageOf(query);
  if (!asked) return { [name]: rows };
  const { page, pageSize } = asked;
  const first = (page - 1) * pageSize;
  const pageCount = Math.ceil(rows.length / pageSize);
  return {
    pagination: { page, pageSize, pageCount, itemCount: rows.length },
    [name]: rows.slice(first, first + pageSize),
  };
}

function attachmentsAt(name: string, id: string, organisation: Organisation): object | null {
  if (!LISTS.get(name)?.one(organisation, id, new URLSearchParams())) return null;
  const { documents, manualJournals } = organisation;
  const parent = [...documents, ...manualJournals].find((one) => one.id === id);
  const path = `${name}/${id}`;
  return { Attachments: parent?.attachments.map((attachment) => attachmentToWire(attachment, path)) ?? [] };
}

/** XML is what Xero speaks unless it is asked for JSON. */
function envelope(content: object, accept: string): Answer {
  if (!accept.includes('application/json')) {
    return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: '<Response/>' };
  }
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-minlimit-remaining': '59',
      'x-appminlimit-remaining': '9999',
    },
    body: JSON.stringify({
      Id: '900c500b-e83c-4ce2-902a-b8ba04751748',
      Status: 'OK',
      ProviderName: 'Unified Financial Data Service',
      DateTimeUTC: instant(new Date()),
      ...content,
    }),
  };
}
