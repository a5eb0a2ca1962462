import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Answer } from '../fault-proxy.js';
import { type Organisation } from './domain.js';
import { type List, LISTS } from './lists.js';
import { noToken, notFound, tokenExpired, wrongTenant } from './problems.js';
import { BadQuery, orderOf, pageOf, type Row, sinceOf, whereOf } from './query.js';
import { attachmentToWire } from './wire/documents.js';
import { instant } from './wire/values.js';

const ROOT = '/api.xro/2.0/';
const TOKEN_LIFE_MS = 30 * 60_000;

export interface XeroFake {
  readonly url: string;
  /** A token that opens the organisation for half an hour. */
  issueToken(): string;
  stop(): Promise<void>;
}

/** Xero's accounting API, as far as it is read, for one organisation. */
export async function startXeroFake(organisation: Organisation): Promise<XeroFake> {
  const tokens = new Map<string, Date>();
  const server = createServer((request, response) => {
    const { status, headers, body } = answerTo(request, organisation, tokens);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issueToken: () => {
      const token = `xero-access-token-${tokens.size}`;
      tokens.set(token, new Date(Date.now() + TOKEN_LIFE_MS));
      return token;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(
  request: IncomingMessage,
  organisation: Organisation,
  tokens: ReadonlyMap<string, Date>,
): Answer {
  const { authorization = '', accept = '', 'xero-tenant-id': tenant } = request.headers;
  const expiresAt = tokens.get(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
  if (!expiresAt) return noToken;
  if (expiresAt.getTime() <= Date.now()) return tokenExpired(expiresAt);
  if (tenant !== organisation.tenantId) return wrongTenant;
  const url = new URL(request.url ?? '', 'http://localhost');
  if (request.method !== 'GET' || !url.pathname.startsWith(ROOT)) return notFound;
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
  const list = LISTS.get(name);
  if (!list || more.length > 0) return null;
  if (id === undefined) return listed(name, list, { url, request, organisation });
  return what === 'Attachments' ? attachmentsAt(name, decodeURIComponent(id), organisation) : null;
}

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

function attachmentsAt(name: string, id: string, { documents, manualJournals }: Organisation): object | null {
  const parents = name === 'ManualJournals' ? manualJournals : documents;
  const parent = parents.find((one) => one.id === id);
  if (!parent) return null;
  const path = `${name}/${id}`;
  return { Attachments: parent.attachments.map((attachment) => attachmentToWire(attachment, path)) };
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
      'x-daylimit-remaining': '4999',
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
