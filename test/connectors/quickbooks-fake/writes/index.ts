import { parse } from 'lossless-json';

import { type Answer } from '../../fault-proxy.js';
import { type EntityName, type QuickbooksCompany } from '../company.js';
import {
  type Account,
  type Contact,
  type Item,
  type Kept,
  type Payment,
  SALES,
  type TradeDocument,
} from '../domain.js';
import { type Entity, entityNamed, type View } from '../entities.js';
import {
  json,
  missing,
  notFound,
  Refusal,
  staleObject,
  unreadable,
  unsupported,
  wrongLength,
} from '../problems.js';
import { voidDocument } from '../makers/documents.js';
import { preciseTime } from '../wire/values.js';
import { accountOf } from './accounts.js';
import { type Body, isObject, neededText, textIn } from './body.js';
import { contactOf } from './contacts.js';
import { documentOf } from './documents.js';
import { itemOf } from './items.js';
import { paymentOf, settle } from './payments.js';

/** One object that is written; `before` is what it was. */
export interface Write {
  readonly company: QuickbooksCompany;
  readonly body: Body;
  readonly before: Kept | null;
}

interface Writer {
  readonly entity: EntityName;
  /** Transactions are counted together, lists of names each by itself. */
  readonly isTransaction?: boolean;
  /** The object's fields. */
  readonly make: (write: Write) => object;
  /** What a change of it does to others. */
  readonly after?: (object: Kept, company: QuickbooksCompany) => void;
  readonly void?: (object: Kept, company: QuickbooksCompany) => void;
}

const WRITERS: readonly Writer[] = [
  {
    entity: 'Account',
    make: ({ company, body, before }) => accountOf(company, body, before as Account | null),
  },
  { entity: 'Item', make: ({ company, body, before }) => itemOf(company, body, before as Item | null) },
  ...(['Customer', 'Vendor'] as const).map((entity): Writer => ({
    entity,
    make: ({ company, body, before }) => contactOf(company, entity, body, before as Contact | null),
  })),
];

const DOCUMENTS: readonly Writer[] = (['Invoice', 'CreditMemo', 'Bill', 'VendorCredit'] as const).map(
  (entity): Writer => ({
    entity,
    isTransaction: true,
    make: ({ company, body, before }) => documentOf(company, entity, body, before as TradeDocument | null),
    ...(SALES.includes(entity) && { void: (document) => voidDocument(document as TradeDocument) }),
  }),
);

const PAYMENTS: readonly Writer[] = (['Payment', 'BillPayment'] as const).map((entity): Writer => ({
  entity,
  isTransaction: true,
  make: ({ company, body, before }) => {
    if (before) throw new Refusal(unsupported('update'));
    return paymentOf(company, entity, body);
  },
  after: (payment, company) => settle(company, payment as Payment),
}));

const writerAt = (path: string): Writer | undefined =>
  [...WRITERS, ...DOCUMENTS, ...PAYMENTS].find(({ entity }) => entity.toLowerCase() === path);

export const isWritten = (path: string): boolean => writerAt(path) !== undefined;

const remembered = new WeakMap<QuickbooksCompany, Map<string, Answer>>();
const MAX_REQUEST_ID = 50;

/** From now on, requests that there were before are new ones. */
export const forgetRequests = (company: QuickbooksCompany): boolean => remembered.delete(company);

interface WriteCall {
  readonly query: URLSearchParams;
  readonly text: string;
}

/** A request with a `requestid` that there was before is answered as that one was, be it by a refusal. */
export function answerWrite(path: string, { query, text }: WriteCall, view: View): Answer {
  const answers = remembered.get(view.company) ?? new Map<string, Answer>();
  remembered.set(view.company, answers);
  const requestId = query.get('requestid') ?? '';
  if (requestId.length > MAX_REQUEST_ID) return wrongLength('requestid', MAX_REQUEST_ID, requestId.length);
  const known = answers.get(requestId);
  if (known) return known;
  const answer = safely(() => carryOut(path, { query, text }, view));
  if (requestId !== '') answers.set(requestId, answer);
  return answer;
}

function carryOut(path: string, { query, text }: WriteCall, view: View): Answer {
  const { company } = view;
  const writer = writerAt(path);
  const entity = writer && entityNamed(writer.entity);
  if (!writer || !entity) return unsupported(path);
  const body: unknown = parse(text);
  if (!isObject(body)) return unreadable('body');
  const operation = query.get('operation');
  if (operation !== null && (operation !== 'void' || !writer.void)) return unsupported(operation);
  const id = textIn(body, 'Id');
  company.advance(1);
  if (id === null) {
    if (operation !== null) return missing('Id');
    return answerWith(entity, create(writer, body, company), view);
  }
  const shelf: readonly Kept[] = company.shelves[writer.entity];
  const before = shelf.find((one) => one.id === id);
  if (!before) return notFound;
  if (neededText(body, 'SyncToken') !== String(before.version)) return staleObject;
  if (operation === 'void') writer.void?.(before, company);
  else change(writer, before, { entity, body, view });
  company.touch(before);
  return answerWith(entity, before, view);
}

function create(
  { entity, isTransaction, make, after }: Writer,
  body: Body,
  company: QuickbooksCompany,
): Kept {
  const shelf = company.shelves[entity] as Kept[];
  const made = make({ company, body, before: null });
  const highest = shelf.reduce((most, { id }) => Math.max(most, Number(id)), 0);
  const object: Kept = {
    ...made,
    id: isTransaction ? company.nextTransactionId() : String(highest + 1),
    version: 0,
    createdAt: company.now,
    updatedAt: company.now,
  };
  shelf.push(object);
  after?.(object, company);
  return object;
}

/** What a sparse change does not name stays; otherwise it goes. */
function change(
  { make, after }: Writer,
  before: Kept,
  { entity, body, view }: { readonly entity: Entity; readonly body: Body; readonly view: View },
): void {
  const row = entity.rows(view).find((one) => one['Id'] === before.id) ?? {};
  const isSparse = body['sparse'] === true;
  // Lines of purchases are only replaced with the whole.
  if (isSparse && 'VendorRef' in row && 'Line' in body) throw new Refusal(missing('Line'));
  const whole = isSparse ? { ...row, ...body } : body;
  Object.assign(before, make({ company: view.company, body: whole, before }));
  after?.(before, view.company);
}

function answerWith(entity: Entity, { id }: Kept, view: View): Answer {
  const row = entity.rows(view).find((one) => one['Id'] === id);
  return json(200, { [entity.answered]: row, time: preciseTime(view.company.now) });
}

function safely(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    if (error instanceof SyntaxError) return unreadable('JSON');
    throw error;
  }
}
