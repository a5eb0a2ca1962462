import { Decimal } from 'decimal.js';

import {
  type Account,
  type BankTransaction,
  type BankTransfer,
  type Contact,
  type Item,
  type Kept,
  type ManualJournal,
  type Organisation,
  type Payment,
  type TradeDocument,
} from './domain.js';
import { makeAttachments } from './makers/documents.js';
import { FIRST_UNUSED_ITEM } from './makers/items.js';
import { guidOf } from './makers/kept.js';
import { SPARE_ACCOUNT } from './makers/settings.js';

/** What can be done to the objects of a record type. */
export interface Changes {
  readonly edit: (object: Kept) => void;
  readonly canDelete: (object: Kept) => boolean;
  readonly remove: (object: Kept) => void;
  /** Voiding it, or archiving it: it stays. */
  readonly canGiveUp: (object: Kept) => boolean;
  readonly giveUp: (object: Kept) => void;
  /** A new one after the model of this. */
  readonly add: (object: Kept) => void;
}

export function changesOf(organisation: Organisation, dataModel: string, now: Date): Changes {
  const become = (object: Kept, status: string) => {
    object.status = status;
    object.updatedAt = now;
  };
  const changes: Changes = {
    edit: (object) => {
      reword(object);
      object.updatedAt = now;
    },
    canDelete: () => false,
    remove: (object) => become(object, 'DELETED'),
    canGiveUp: () => false,
    giveUp: (object) => become(object, 'VOIDED'),
    add: (object) => addCopy(organisation, object, now),
  };
  const archive = { giveUp: (object: Kept) => become(object, 'ARCHIVED') };
  switch (dataModel) {
    case 'TAX_RATES':
      return { ...changes, canDelete: ({ id }) => id.startsWith('TAX') };
    case 'ACCOUNTS': {
      const isSpare = (object: Kept) => (object as Account).code?.startsWith(SPARE_ACCOUNT) ?? false;
      return { ...changes, ...archive, canDelete: isSpare, canGiveUp: () => true };
    }
    case 'TRACKING_CATEGORIES':
      return {
        ...changes,
        canDelete: ({ id }) => isOption(organisation, id),
        remove: removeOption(organisation),
      };
    case 'ITEMS': {
      const isUnused = (object: Kept) => Number((object as Item).code.split('-')[1]) >= FIRST_UNUSED_ITEM;
      return { ...changes, canDelete: isUnused, remove: removeItem(organisation) };
    }
    case 'CONTACTS':
      return { ...changes, ...archive, canGiveUp: () => true };
    case 'INVOICES':
    case 'BILLS':
    case 'INVOICE_CREDIT_NOTES':
    case 'BILL_CREDIT_NOTES':
      return { ...changes, canDelete: isUnapproved, canGiveUp: isUnsettled };
    case 'PURCHASE_ORDERS':
      return { ...changes, canDelete: ({ status }) => status !== 'BILLED' };
    case 'INVOICE_PAYMENTS':
    case 'BILL_PAYMENTS':
      return {
        ...changes,
        canDelete: (object) => 'document' in object,
        remove: (object) => removePayment(object as Payment, now),
      };
    case 'BANK_TRANSACTIONS':
      return { ...changes, canDelete: isNoLeg, remove: (object) => removeBanked(object, now) };
    case 'JOURNAL_ENTRIES':
      return { ...changes, canDelete: isUnapproved, canGiveUp: ({ status }) => status === 'POSTED' };
    case 'DOCUMENTS':
      return {
        ...changes,
        edit: (object) => attach(object as TradeDocument | ManualJournal, now),
        add: () => undefined,
      };
    default:
      return changes;
  }
}

function reword(object: Kept): void {
  const { amountTypes, lines = [] } = object as Partial<TradeDocument>;
  if (amountTypes !== undefined) for (const line of lines) line.description += ', corrected';
  const worded = object as { narration?: string; reference?: string; name?: string };
  if (worded.narration !== undefined) worded.narration += ', corrected';
  else if (worded.name !== undefined) worded.name += ', renamed';
  else if (worded.reference) worded.reference += ', corrected';
}

const isUnapproved = ({ status }: Kept): boolean => status === 'DRAFT' || status === 'SUBMITTED';

function isUnsettled(object: Kept): boolean {
  const { status, paid, credited } = object as TradeDocument;
  return status === 'AUTHORISED' && paid.isZero() && credited.isZero();
}

/** Options and items are gone for good. */
function removeOption({ trackingCategories }: Organisation): (option: Kept) => void {
  return ({ id }) => {
    for (const category of trackingCategories) {
      category.options = category.options.filter((option) => option.id !== id);
    }
  };
}

const isOption = ({ trackingCategories }: Organisation, id: string): boolean =>
  trackingCategories.some(({ options }) => options.some((option) => option.id === id));

function removeItem(organisation: Organisation): (item: Kept) => void {
  return ({ id }) => {
    organisation.items = organisation.items.filter((item) => item.id !== id);
  };
}

/** What it paid is due again. */
function removePayment(payment: Payment, now: Date): void {
  const { document } = payment;
  document.paid = document.paid.minus(payment.amount);
  document.status = 'AUTHORISED';
  for (const changed of [payment, document]) changed.updatedAt = now;
  payment.status = 'DELETED';
}

/** A transfer's legs are deleted with it, and not by themselves. */
const isNoLeg = (object: Kept): boolean => !String((object as BankTransaction).type).endsWith('-TRANSFER');

function removeBanked(object: Kept, now: Date): void {
  const { from, to } = object as Partial<BankTransfer>;
  for (const deleted of [object, from, to]) {
    if (!deleted) continue;
    deleted.status = 'DELETED';
    deleted.updatedAt = now;
  }
}

/** Of contacts, documents and journals, which come every day. */
function addCopy({ contacts, documents, manualJournals }: Organisation, object: Kept, now: Date): void {
  const copy = { ...object, id: guidOf(`${object.id} again at ${now.getTime()}`), updatedAt: now };
  if ('isCustomer' in copy) contacts.push(copy as Contact);
  else if ('narration' in copy) manualJournals.push({ ...(copy as ManualJournal), attachments: [] });
  else if ('amountTypes' in copy) documents.push(draftOf(copy as TradeDocument));
}

function draftOf(document: TradeDocument): TradeDocument {
  const nothing = new Decimal(0);
  const lines = document.lines.map((line) => ({ ...line, id: guidOf(`${document.id} ${line.id}`) }));
  const number = `${document.number} again`;
  return {
    ...document,
    number,
    lines,
    status: 'DRAFT',
    paid: nothing,
    credited: nothing,
    allocations: [],
    attachments: [],
  };
}

function attach(parent: TradeDocument | ManualJournal, now: Date): void {
  // Few get one: each that has some is one more call.
  if (!/^[0-3]/.test(parent.id)) return;
  parent.attachments.push(...makeAttachments(`${parent.id} ${parent.attachments.length}`, 1));
  parent.updatedAt = now;
}
