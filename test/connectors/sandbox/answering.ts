import { type Connector } from '../../../src/connectors/connector.js';
import {
  type PlatformAnswer,
  type PlatformClient,
  type PlatformRequest,
} from '../../../src/connectors/platform.js';
import { type CuttableIdPage, type PulledPage, type PullResource } from '../../../src/connectors/pull.js';

export interface AskedCall {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A client that answers by a function and remembers what it was asked. */
export function answering(
  answer: (call: AskedCall) => object | Partial<PlatformAnswer>,
): PlatformClient & { readonly calls: AskedCall[] } {
  const calls: AskedCall[] = [];
  const read = async (path: string, request?: PlatformRequest): Promise<PlatformAnswer> => {
    const call = { path, query: request?.query ?? {} };
    calls.push(call);
    const given = answer(call);
    return 'headers' in given
      ? (given as PlatformAnswer)
      : { body: given as PlatformAnswer['body'], headers: {} };
  };
  return {
    calls,
    read,
    get: async (path, request) => (await read(path, request)).body,
    send: () => Promise.reject(new Error('pulls only read')),
    download: () => Promise.reject(new Error('pulls only read')),
  };
}

export interface Asked {
  readonly since?: Date | null;
  readonly cursor?: string | null;
}

export function resourceOf(connector: Connector, dataModel: string): PullResource {
  const found = connector.pulls.find(({ definition }) => definition.dataModel === dataModel);
  if (!found) throw new Error(`${dataModel} is not pulled`);
  return found;
}

export async function pull(
  client: PlatformClient,
  resource: PullResource,
  { since = null, cursor = null }: Asked = {},
): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  for await (const page of resource.pages(client, { since, cursor })) pages.push(page);
  return pages;
}

export async function deletionsOf(
  client: PlatformClient,
  resource: PullResource,
  { since = null, cursor = null }: Asked = {},
): Promise<CuttableIdPage[]> {
  const pages: CuttableIdPage[] = [];
  for (const way of resource.deletions ?? []) {
    for await (const page of way.pages(client, { since, cursor })) pages.push(page);
  }
  return pages;
}
