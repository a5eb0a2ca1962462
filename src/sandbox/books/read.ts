import { Failure } from '../failure.js';
import type { ApiCall, ApiHandler } from '../gate/platform-api.js';
import { header, instantOf, wholeNumber } from '../http/call.js';
import { json, jsonText, type Reply } from '../http/reply.js';
import { findByParent, findObject, type ObjectRow } from '../store/objects.js';
import { readNumberedPage } from '../store/pages.js';
import { type BooksKind, isBooksKind } from './kinds.js';

/** The kind named in the path. */
export function kindOf({ params }: ApiCall): BooksKind {
  const { kind = '' } = params;
  if (isBooksKind(kind)) return kind;
  throw new Failure('not-found', `there is no kind "${kind}"`);
}

/** The live object named in the path. */
export async function objectOf(call: ApiCall, kind: BooksKind): Promise<ObjectRow> {
  const { guid = '' } = call.params;
  const { pool, locks } = call.context;
  await locks.settled(call.caller.account.key);
  const found = await findObject(pool, call.caller.account.key, kind, guid);
  if (found) return found;
  throw new Failure('not-found', `${kind} has no object ${guid}`);
}

/** `{"Kind": [object]}` around existing JSON. */
const objectReply = (kind: string, body: string, status = 200): Reply =>
  jsonText(status, `{"${kind}":[${body}]}`);

/** One page of a kind. */
export const list: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { paging, page } = await readPage(call, kind, { max: 200, otherwise: 50 });
  return jsonText(200, `{"Paging":${JSON.stringify(paging)},"${kind}":[${page.bodies.join(',')}]}`);
};

/** One page of the GUIDs of a kind. */
export const listIds: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { paging, page } = await readPage(call, kind, { max: 1000, otherwise: 500 });
  return json(200, { Paging: paging, Ids: page.ids });
};

async function readPage(
  call: ApiCall,
  kind: BooksKind,
  sizes: { readonly max: number; readonly otherwise: number },
) {
  const number = wholeNumber(call, 'page', { min: 1, max: 1_000_000, otherwise: 1 });
  const pageSize = wholeNumber(call, 'pageSize', { min: 1, ...sizes });
  const since = call.query.get('modifiedSince') ?? header(call, 'modified-since');
  const { pool, locks } = call.context;
  const account = call.caller.account.key;
  await locks.settled(account);
  const page = await readNumberedPage(pool, account, {
    kind,
    page: number,
    pageSize,
    modifiedSince: since === null ? null : instantOf(since, 'modifiedSince'),
    marker: call.query.get('reference'),
  });
  const paging = {
    Page: number,
    PageSize: pageSize,
    PageCount: Math.max(1, page.pageCount),
    ItemCount: page.itemCount,
  };
  return { paging, page };
}

export const read: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { body } = await objectOf(call, kind);
  return objectReply(kind, body);
};

/** The files of one object. */
export const listAttachments: ApiHandler = async (call) => {
  const object = await objectOf(call, kindOf(call));
  const files = await findByParent(call.context.pool, call.caller.account.key, 'Attachments', object.id);
  return jsonText(200, `{"Attachments":[${files.map(({ body }) => body).join(',')}]}`);
};

/** The company behind the books. */
export const readOrganisation: ApiHandler = async ({ caller: { account } }) =>
  json(200, {
    Organisation: { Id: account.id, Title: account.name, BaseCurrency: 'AUD', Country: 'Australia' },
  });
