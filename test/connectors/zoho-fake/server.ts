import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type Answer } from '../fault-proxy.js';
import { Identity } from './identity.js';
import { answerList } from './lists.js';
import { MODULES } from './modules.js';
import { type ZohoOrganization } from './organization.js';
import {
  dayIsUsedUp,
  invalidToken,
  type Json,
  noMember,
  notThere,
  success,
  tooManyCallsFor,
} from './problems.js';
import { answerWrite, type WriteCall } from './writes/index.js';
import { wireOrganization, wireTax } from './wire.js';

const BOOKS = '/books/v3/';

/** Limits of calls; none if absent. */
interface Limits {
  perDay?: number;
  /** Of which this many are left, whatever the minute. */
  perMinute?: number;
}

export interface ZohoFake {
  /** The accounts server and the API of a data center in one: their paths differ. */
  readonly url: string;
  readonly identity: Identity;
  /** Paths with queries of all calls of the API that there were. */
  readonly calls: string[];
  readonly limits: Limits;
  stop(): Promise<void>;
}

/** Other organizations that the user is one of. */
interface Options {
  readonly others?: readonly Json[];
}

/** Zoho Books as far as it is read and written, with one organization that has something in it. */
export async function startZohoFake(
  organization: ZohoOrganization,
  { others = [] }: Options = {},
): Promise<ZohoFake> {
  const identity = new Identity();
  const calls: string[] = [];
  const limits: Limits = {};

  function answerTo({ method = 'GET', url: path = '', headers }: IncomingMessage, text: string): Answer {
    const url = new URL(path, 'http://localhost');
    const other = identity.answer(method, url, text);
    if (other) return other;
    if (!url.pathname.startsWith(BOOKS)) return notThere;
    calls.push(path);
    const token = /^Zoho-oauthtoken (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!identity.opens(token)) return invalidToken;
    if (limits.perDay !== undefined && calls.length > limits.perDay) return dayIsUsedUp(limits.perDay, 7200);
    if (limits.perMinute !== undefined && (limits.perMinute -= 1) < 0) return tooManyCallsFor(1);
    const place = url.pathname.slice(BOOKS.length);
    const answer =
      method === 'GET' ? answerAt(place, url.searchParams) : write({ method, path: place, text }, url);
    if (limits.perDay === undefined) return answer;
    return {
      ...answer,
      headers: { ...answer.headers, 'x-rate-limit-remaining': String(limits.perDay - calls.length) },
    };
  }

  function write(call: Omit<WriteCall, 'query'>, { searchParams: query }: URL): Answer {
    if (query.get('organization_id') !== organization.id) return noMember;
    return answerWrite({ ...call, query }, organization);
  }

  function answerAt(path: string, query: URLSearchParams): Answer {
    if (path === 'organizations')
      return success({ organizations: [...others, wireOrganization(organization)] });
    if (query.get('organization_id') !== organization.id) return noMember;
    if (path === `organizations/${organization.id}`) {
      return success({ organization: wireOrganization(organization) });
    }
    const module = MODULES[path];
    if (module) return answerList(module, organization, query);
    const [, above = '', id] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
    if (above === 'settings/taxgroups') {
      const group = organization.taxes.find((tax) => tax.id === id && tax.kind === 'tax_group');
      if (!group) return notThere;
      return success({
        tax_group: { tax_group_id: group.id, tax_group_name: group.name, taxes: group.members.map(wireTax) },
      });
    }
    const { one, objects } = MODULES[above] ?? {};
    const object = objects?.(organization).find((candidate) => candidate.id === id);
    return one && object ? success({ [one.name]: one.wire(object) }) : notThere;
  }

  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const { status, headers, body } = answerTo(request, Buffer.concat(chunks).toString());
      response.writeHead(status, headers).end(body);
    });
  });
  // Longer than any test: a connection that is closed while a call sets out looks like a fault.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identity,
    calls,
    limits,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
