import { createHash, randomUUID } from 'node:crypto';

import { parse, stringify } from 'lossless-json';

import { type Answer } from '../../fault-proxy.js';
import { type Contact, type Item, type Kept, type Organisation, type TradeDocument } from '../domain.js';
import { badPost, json, keyReused, keyTooLong, notFound, refused } from '../problems.js';
import { createDocument, updateDocument } from './documents.js';
import { BadPost, type Body, Complaints, isObject } from './input.js';
import { createAccount, createContact, createItem, updateContact, updateItem } from './masters.js';
import { createBankTransaction, createBankTransfer, createManualJournal, createPayment } from './money.js';
import { createTaxRate, createTrackingCategory, createTrackingOption } from './settings.js';
import { type Write } from './write.js';

interface Writer {
  readonly create: (write: Write) => Kept | null;
  readonly update?: (write: Write, id: string) => Kept | null | undefined;
  /** Adds to one of them, below its path. */
  readonly addTo?: (write: Write, id: string) => Kept | null | undefined;
}

const WRITERS: Readonly<Record<string, Writer>> = {
  Accounts: { create: createAccount },
  TaxRates: { create: createTaxRate },
  TrackingCategories: { create: createTrackingCategory, addTo: createTrackingOption },
  Items: {
    create: createItem,
    update: (write, id) => {
      const item = write.organisation.items.find((one: Item) => one.id === id);
      return item && updateItem(write, item);
    },
  },
  Contacts: {
    create: createContact,
    update: (write, id) => {
      const contact = write.organisation.contacts.find((one: Contact) => one.id === id);
      return contact && updateContact(write, contact);
    },
  },
  Invoices: {
    create: (write) => createDocument(write, ['ACCREC', 'ACCPAY']),
    update: (write, id) => {
      const isIt = (one: TradeDocument) => one.id === id && ['ACCREC', 'ACCPAY'].includes(one.type);
      const document = write.organisation.documents.find(isIt);
      return document && updateDocument(write, document);
    },
  },
  CreditNotes: { create: (write) => createDocument(write, ['ACCRECCREDIT', 'ACCPAYCREDIT']) },
  PurchaseOrders: { create: (write) => createDocument(write, ['PURCHASEORDER']) },
  Payments: { create: createPayment },
  BankTransactions: { create: createBankTransaction },
  BankTransfers: { create: createBankTransfer },
  ManualJournals: { create: createManualJournal },
};

/** These come one by one, all others in a list. */
const ALONE = ['Accounts', 'TrackingCategories'];

/** Objects of these come without `StatusAttributeString`, as in the examples of Xero's description. */
const UNMARKED = ['Items', 'ManualJournals', 'Payments'];

/** These lists know `unitdp`. */
const PRICED = ['Items', 'Invoices', 'CreditNotes', 'BankTransactions'];

export interface WriteCall {
  readonly method: string;
  /** The list, and the id of what is changed. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly text: string;
  readonly key: string | undefined;
}

interface Remembered {
  readonly fingerprint: string;
  readonly answer: Answer;
}

/** Carries writes out, each key once. `show` makes the answer of what was written. */
export function createWriter(
  organisation: Organisation,
  now: () => Date,
  show: (list: string, object: Kept, query: URLSearchParams) => Answer,
): (call: WriteCall) => Answer {
  const remembered = new Map<string, Remembered>();

  /** Several objects of which each is answered, with what is wrong with it. */
  function carryOutEach(call: WriteCall, list: string, objects: readonly unknown[]): Answer {
    const answers = objects.map((object) => {
      const { status, body } = carryOut({ ...call, text: stringify({ [list]: [object] }) ?? '' });
      const answer = parse(body) as Record<string, readonly Body[]>;
      const [one] = (status === 200 ? answer[list] : answer['Elements']) ?? [];
      if (UNMARKED.includes(list)) return one;
      return { ...one, StatusAttributeString: status === 200 ? 'OK' : 'ERROR' };
    });
    return json(200, { [list]: answers });
  }

  function carryOut(call: WriteCall): Answer {
    const {
      method,
      path: [list = '', id, part],
      query,
      text,
    } = call;
    const writer = WRITERS[list];
    const isCreated = method === 'PUT' && id === undefined;
    const isAdded = method === 'PUT' && part === 'Options' && writer?.addTo !== undefined;
    const isChanged = method === 'POST' && id !== undefined && writer?.update !== undefined;
    if (!writer || !(isCreated || isAdded || isChanged)) return notFound;
    const whole: unknown = parse(text);
    const objects = isObject(whole) && isCreated && !ALONE.includes(list) ? whole[list] : whole;
    if (Array.isArray(objects) && objects.length > 1 && query.get('summarizeErrors') === 'false') {
      return carryOutEach(call, list, objects);
    }
    const [body] = Array.isArray(objects)
      ? objects
      : [isObject(objects) && isChanged ? first(objects[list]) : objects];
    if (!isObject(body)) throw new BadPost(`JSON for post data was invalid: there is no list of ${list}`);
    const complaints = new Complaints();
    const time = now();
    const write: Write = {
      organisation,
      body,
      complaints,
      priceDigits: PRICED.includes(list) && query.get('unitdp') === '4' ? 4 : 2,
      kept: (status) => ({ id: randomUUID(), status, updatedAt: time }),
    };
    const work = isAdded ? writer.addTo : writer.update;
    const object = isCreated ? writer.create(write) : work?.(write, id ?? '');
    if (object === undefined) return notFound;
    if (!object || !complaints.isEmpty) return refused(body, complaints);
    const answer = show(part ?? list, object, query);
    const isUnsent = list === 'PurchaseOrders' && body['SentToContact'] === true && object.status === 'DRAFT';
    return isUnsent ? withWarning(answer, list, UNSENT) : answer;
  }

  return (call) => {
    const { method, path, query, text, key } = call;
    if (key !== undefined && key.length > 128) return keyTooLong;
    const fingerprint = createHash('sha256')
      .update(`${method} ${path.join('/')}?${query.toString()} ${text}`)
      .digest('hex');
    const known = key === undefined ? undefined : remembered.get(key);
    if (known) return known.fingerprint === fingerprint ? known.answer : keyReused;
    const answer = safely(() => carryOut(call));
    if (key !== undefined) remembered.set(key, { fingerprint, answer });
    return answer;
  };
}

const UNSENT = 'Only AUTHORISED and BILLED purchase orders may have SentToContact updated.';

function withWarning({ body }: Answer, list: string, Message: string): Answer {
  const answer = parse(body) as Record<string, readonly Body[]>;
  return json(200, { [list]: answer[list]?.map((one) => ({ ...one, Warnings: [{ Message }] })) });
}

const first = (list: unknown): unknown => (Array.isArray(list) ? (list[0] as unknown) : undefined);

function safely(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadPost || error instanceof SyntaxError) return badPost(error.message);
    throw error;
  }
}
