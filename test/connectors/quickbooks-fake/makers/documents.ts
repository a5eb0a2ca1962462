import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type Contact, type Line, type TradeDocument, type TradeEntity } from '../domain.js';
import { ZERO } from '../totals.js';
import { dayOf, imported, indexes, kept, nth } from './kept.js';
import { discountLine, groupLine, itemLine, type Place } from './lines.js';
import { taxed } from './taxed.js';

const INVOICES = 90;
/** More than a page holds came of one import, and are of one second. */
const IMPORTED = 1050;
const CREDIT_MEMOS = 24;

export interface DocumentStart {
  readonly entity: TradeEntity;
  readonly contact: Contact | null;
  readonly index: number;
  readonly lines: readonly Line[];
  readonly own?: Partial<TradeDocument>;
}

export function addDocument(company: QuickbooksCompany, start: DocumentStart): TradeDocument {
  const { entity, contact, index, own } = start;
  const currency = own?.currency ?? contact?.currency ?? company.home;
  const document: TradeDocument = {
    ...kept(company.nextTransactionId(), index),
    entity,
    number: index % 8 === 7 ? null : String(1000 + index),
    contact,
    date: dayOf(index),
    dueDate: null,
    currency,
    ...taxed(company, { entity, index, lines: start.lines, currency }),
    department: index % 4 === 1 ? nth(company.shelves.Department, index) : null,
    message: null,
    note: index % 3 === 0 ? `Note ${index}` : null,
    settled: ZERO,
    links: [],
    isVoid: false,
    isClosed: false,
    shipTo: null,
    payment: null,
    receipt: null,
    ...own,
  };
  company.documents(entity).push(document);
  return document;
}

export const activeOf = (contacts: readonly Contact[]): Contact[] => contacts.filter(({ active }) => active);

/** Lines of all kinds that sales have, in turn. */
export function salesLines(place: Place): readonly Line[] {
  const { index } = place;
  const first = itemLine(place, '1', { isTaxed: index % 2 === 0 });
  switch (index % 6) {
    case 0:
      return [first, itemLine(place, '2')];
    case 1:
      return [groupLine(place, '1'), { kind: 'note', id: '4', description: 'With many thanks' }];
    case 2:
      return [first, discountLine(place, [first], 10)];
    case 3:
      return [itemLine(place, '1', { isLump: true }), { kind: 'shipping', amount: new Decimal(12) }];
    case 4:
      return [first, itemLine(place, '2', { isTaxed: true }), discountLine(place, [first], null)];
    default:
      return [{ kind: 'note', id: '1', description: 'Delivered on a Sunday' }, itemLine(place, '2')];
  }
}

function addSale(company: QuickbooksCompany, entity: TradeEntity, index: number): TradeDocument {
  const contact = nth(activeOf(company.shelves.Customer), index);
  const place: Place = { company, currency: contact.currency, index };
  const lines = salesLines(place);
  return addDocument(company, {
    entity,
    contact,
    index,
    lines,
    own: {
      message: index % 5 === 0 ? 'Thank you for your business and have a great day!' : null,
      dueDate: entity === 'Invoice' ? dayOf(index + 30) : null,
      shipTo: index % 7 === 0 ? contact.shipping : null,
    },
  });
}

/** All amounts are zeroed, and the note says it. */
export function voidDocument(document: TradeDocument): void {
  const nothing = { amount: ZERO, gross: null };
  const zero = (line: Line): Line => {
    switch (line.kind) {
      case 'item':
        return { ...line, ...nothing, quantity: line.quantity && ZERO };
      case 'account':
        return { ...line, ...nothing };
      case 'discount':
      case 'shipping':
        return { ...line, amount: ZERO };
      case 'group':
        return { ...line, lines: line.lines.map((one) => ({ ...one, ...nothing, quantity: ZERO })) };
      case 'note':
        return line;
      default:
        return line satisfies never;
    }
  };
  document.lines = document.lines.map(zero);
  document.tax = [];
  document.note = document.note === null ? 'Voided' : `Voided - ${document.note}`;
  document.isVoid = true;
}

export function makeSales(company: QuickbooksCompany): void {
  for (const index of indexes(INVOICES)) {
    const invoice = addSale(company, 'Invoice', index);
    if (index % 17 === 9) voidDocument(invoice);
  }
  const contact = nth(company.shelves.Customer, 1);
  for (const index of indexes(IMPORTED)) {
    const lines = [itemLine({ company, currency: contact.currency, index }, '1')];
    const { id: _, ...at } = imported('');
    addDocument(company, { entity: 'Invoice', contact, index: 2000 + index, lines, own: at });
  }
  for (const index of indexes(CREDIT_MEMOS)) {
    const memo = addSale(company, 'CreditMemo', index);
    if (index === 13) voidDocument(memo);
  }
}
