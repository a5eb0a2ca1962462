import { parse } from 'lossless-json';

import { type Answer } from '../../fault-proxy.js';
import { type Contact, type Item, type Kept, type Payment, type TradeDocument } from '../domain.js';
import { MODULES } from '../modules.js';
import { type ZohoOrganization } from '../organization.js';
import { created, json, notThere, success } from '../problems.js';
import { type Body, bodyIn, Refusal, refuse } from './body.js';
import { accountOf } from './accounts.js';
import { contactOf } from './contacts.js';
import { documentOf, setStatus, STATUSES, type WrittenKind } from './documents.js';
import { itemOf } from './items.js';
import { unlikeOfficial } from './official.js';
import { paymentOf, settle } from './payments.js';

/** One object that is written; `before` is what it was. */
export interface Write {
  readonly organization: ZohoOrganization;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly before: Kept | null;
}

interface Writer {
  readonly shelf: (organization: ZohoOrganization) => Kept[];
  /** The object's fields. */
  readonly make: (write: Write) => object;
  readonly isFixed?: boolean;
  /** What a new one does to others. */
  readonly after?: (object: Kept, organization: ZohoOrganization) => void;
  /** Calls that change the status, by the end of their paths. */
  readonly statuses: Readonly<Record<string, (object: Kept) => void>>;
}

const ACTIVITY: Writer['statuses'] = {
  active: (object) => Object.assign(object, { isActive: true }),
  inactive: (object) => Object.assign(object, { isActive: false }),
};

const documents = (kind: WrittenKind, isFixed = false): Writer => ({
  shelf: ({ documents: all }) => all,
  make: (write) => documentOf({ ...write, kind, before: write.before as TradeDocument | null }),
  isFixed,
  statuses: Object.fromEntries(
    Object.entries(STATUSES[kind] ?? {}).map(([path, status]) => [
      path,
      (document: Kept) => setStatus(document as TradeDocument, status),
    ]),
  ),
});

const payments = (kind: Payment['kind']): Writer => ({
  shelf: (organization) => organization.payments,
  make: ({ organization, body }) => paymentOf(organization, kind, body),
  isFixed: true,
  after: (payment, organization) => settle(organization, payment as Payment),
  statuses: {},
});

/** By their paths. */
const WRITERS: Readonly<Record<string, Writer>> = {
  contacts: {
    shelf: ({ contacts }) => contacts,
    make: ({ organization, body, before }) => contactOf(organization, body, before as Contact | null),
    statuses: ACTIVITY,
  },
  items: {
    shelf: ({ items }) => items,
    make: ({ organization, body, before }) => itemOf(organization, body, before as Item | null),
    statuses: ACTIVITY,
  },
  chartofaccounts: {
    shelf: ({ accounts }) => accounts,
    make: ({ organization, body }) => accountOf(organization, body),
    isFixed: true,
    statuses: {},
  },
  invoices: documents('invoice'),
  bills: documents('bill'),
  creditnotes: documents('creditnote', true),
  vendorcredits: documents('vendorcredit', true),
  customerpayments: payments('customer'),
  vendorpayments: payments('vendor'),
};

export interface WriteCall {
  readonly method: string;
  /** Below the API. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly text: string;
}

/** What Zoho answers to a write. A request that is not as it describes them is none of ours. */
export function answerWrite(call: WriteCall, organization: ZohoOrganization): Answer {
  const { method, path, query, text } = call;
  const [name = '', id] = path.split('/');
  const writer = WRITERS[name];
  if (!writer || (id !== undefined && !writer.shelf(organization).some((one) => one.id === id)))
    return notThere;
  try {
    const problems = unlikeOfficial({ method, path, query, body: text === '' ? null : JSON.parse(text) });
    if (problems.length > 0) return json(400, { code: 15, message: `Not as described: ${problems.join()}` });
    return carryOut(writer, call, organization);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function carryOut(
  writer: Writer,
  { method, path, query, text }: WriteCall,
  organization: ZohoOrganization,
): Answer {
  const [name = '', id, ...rest] = path.split('/');
  const shelf = writer.shelf(organization);
  organization.advance(1);
  if (id === undefined) {
    const body = bodyIn(parse(text));
    const made = writer.make({ organization, query, body, before: null });
    const object: Kept = { ...made, ...organization.kept() };
    shelf.push(object);
    writer.after?.(object, organization);
    return created(answerOf(name, object));
  }
  const before = shelf.find((one) => one.id === id);
  if (!before) return notThere;
  if (rest.length > 0) {
    const change = writer.statuses[rest.join('/')];
    if (!change) return notThere;
    change(before);
    organization.touch(before);
    return success({ message: 'The status has been changed.' });
  }
  if (method !== 'PUT' || writer.isFixed) refuse(5, 'Invalid URL Passed');
  Object.assign(before, writer.make({ organization, query, body: bodyIn(parse(text)), before }));
  organization.touch(before);
  return success(answerOf(name, before));
}

function answerOf(name: string, object: Kept) {
  const { one } = MODULES[name] ?? {};
  return one ? { [one.name]: one.wire(object) } : {};
}
