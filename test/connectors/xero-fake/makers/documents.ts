import { Decimal } from 'decimal.js';

import {
  type Attachment,
  type Contact,
  type Currency,
  type DocumentType,
  type TradeDocument,
} from '../domain.js';
import { guidOf, indexes, kept, nth, dayOf } from './kept.js';
import { type LineSources, makeLines } from './lines.js';

export interface DocumentSources extends LineSources {
  readonly contacts: readonly Contact[];
  readonly currencies: readonly Currency[];
}

interface Series {
  readonly type: DocumentType;
  readonly count: number;
  /** How their numbers begin. */
  readonly prefix: string;
  /** Their states, in turn. */
  readonly states: readonly string[];
}

const UNPAID = ['AUTHORISED', 'AUTHORISED', 'DRAFT', 'SUBMITTED', 'VOIDED', 'DELETED', 'DRAFT'];

/** 200 bills are two full pages, after which nothing comes. */
const SERIES: readonly Series[] = [
  { type: 'ACCREC', count: 250, prefix: 'INV', states: ['PAID', 'PAID', 'PAID', ...UNPAID] },
  { type: 'ACCPAY', count: 200, prefix: 'BILL', states: ['PAID', 'PAID', ...UNPAID] },
  { type: 'ACCRECCREDIT', count: 60, prefix: 'CN', states: ['PAID', ...UNPAID] },
  { type: 'ACCPAYCREDIT', count: 50, prefix: 'SC', states: ['PAID', ...UNPAID] },
  {
    type: 'PURCHASEORDER',
    count: 110,
    prefix: 'PO',
    states: ['AUTHORISED', 'BILLED', 'DRAFT', 'SUBMITTED', 'DELETED', 'AUTHORISED'],
  },
];

/** Nothing is paid on them yet. */
export function makeDocuments(sources: DocumentSources): TradeDocument[] {
  return SERIES.flatMap((series) =>
    indexes(series.count).map((index) => makeDocument(sources, series, index)),
  );
}

function makeDocument(sources: DocumentSources, series: Series, index: number): TradeDocument {
  const { type, prefix, states } = series;
  const isSale = type === 'ACCREC' || type === 'ACCRECCREDIT';
  const isCredit = type === 'ACCRECCREDIT' || type === 'ACCPAYCREDIT';
  const isOrder = type === 'PURCHASEORDER';
  const name = `${prefix}-${String(index).padStart(4, '0')}`;
  const amountTypes = nth(['Exclusive', 'Inclusive', 'Exclusive', 'NoTax'] as const, index);
  const parties = sources.contacts.filter((contact) => (isSale ? contact.isCustomer : contact.isSupplier));
  return {
    ...kept(guidOf(name), index, nth(states, index)),
    type,
    number: name,
    // Only sales and orders have room for one.
    reference: (isSale || isOrder) && index % 3 !== 0 ? `Reference ${index}` : '',
    contact: nth(parties, index),
    date: dayOf(index),
    dueDate: isCredit ? null : dayOf(index + 20),
    deliveryAddress: isOrder && index % 2 === 0 ? `${index} Queen Street\nAuckland` : null,
    currency: nth(sources.currencies, index % 5 === 3 ? 1 : index % 7 === 4 ? 2 : 0),
    amountTypes,
    lines: makeLines(sources, {
      name,
      index,
      isSale,
      amountTypes,
      hasDiscounts: type === 'ACCREC',
      priceDigits: isOrder ? 2 : 4,
    }),
    paid: new Decimal(0),
    credited: new Decimal(0),
    allocations: [],
    attachments: index % 25 === 3 ? makeAttachments(name, 1 + (index % 2)) : [],
  };
}

export function makeAttachments(name: string, count: number): Attachment[] {
  return indexes(count).map((index) => ({
    id: guidOf(`${name} attachment ${index}`),
    fileName: `${name} ${index}.pdf`,
    mimeType: index % 2 === 0 ? 'application/pdf' : 'image/png',
    size: 1000 + name.length * 100 + index,
  }));
}
