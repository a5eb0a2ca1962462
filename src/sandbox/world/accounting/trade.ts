import type { Random } from '../random.js';
import type { Totals } from '../priced-line.js';
import { many, type Size, spread } from '../size.js';
import type { Trade } from './catalogue.js';
import type { DemoContact } from './contacts.js';
import { createLines, type DemoLines, type PlannedLine, planLines } from './lines.js';
import { named, type Paper, type Side } from './side.js';

/** Common fields of orders, invoices, bills and credit notes. `posted` counts days. */
interface DemoPaper {
  readonly platformId: string;
  readonly number: string;
  readonly contact: DemoContact;
  readonly posted: number;
  readonly planned: readonly PlannedLine[];
  readonly lines: DemoLines['lines'];
  readonly totals: Totals;
}

export interface DemoOrder extends DemoPaper {
  readonly state: 'PLACED' | 'DRAFT' | 'VOID';
}

/** An invoice or a bill; `plan` is how it will be paid: not at all, in part, immediately, or in two payments. */
export interface DemoDocument extends DemoPaper {
  readonly plan: 'DRAFT' | 'VOID' | 'OPEN' | 'PART' | 'PAID' | 'TWICE';
  readonly due: number;
  readonly orderId: string | null;
  readonly deleted: boolean;
}

/** A credit note on a line of `source`; `use` is what happens to it. */
export interface DemoNote extends DemoPaper {
  readonly source: DemoDocument;
  readonly use: 'DRAFT' | 'VOID' | 'OPEN' | 'APPLIED' | 'HALF' | 'REFUNDED';
}

export interface TradeOptions {
  readonly side: Side;
  readonly trade: Trade;
  readonly contacts: readonly DemoContact[];
  readonly size: Size;
}

const ORDERS = 40;
const DOCUMENTS = 48;
const NOTES = 34;
/** Ends with PART and OPEN, so that documents that are not yet due are partly paid and unpaid. */
const PLANS = ['PAID', 'PAID', 'DRAFT', 'VOID', 'TWICE', 'PAID', 'PART', 'OPEN'] as const;
const USES = [
  'APPLIED',
  'HALF',
  'APPLIED',
  'REFUNDED',
  'APPLIED',
  'OPEN',
  'APPLIED',
  'DRAFT',
  'VOID',
] as const;

/** Orders, the documents for most of them, and credit notes on some documents. */
export function createTrade(random: Random, options: TradeOptions) {
  const { side, contacts, size } = options;
  const documentCount = many(size, DOCUMENTS);
  const partners = contacts.filter(({ type, active }) => type === side.contactType && active);
  const orders = Array.from({ length: many(size, ORDERS) }, (_, index): DemoOrder => ({
    ...createPaper('order', side, {
      index,
      contact: random.pick(partners),
      posted: spread(size, index, 3),
      planned: planLines(random, options),
    }),
    state: index % 10 === 8 ? 'DRAFT' : index % 10 === 9 ? 'VOID' : 'PLACED',
  }));
  const placed = orders.filter(({ state }) => state === 'PLACED');
  const documents = Array.from({ length: documentCount }, (_, index): DemoDocument => {
    const order = placed[index];
    const posted = order ? order.posted + 4 : spread(size, index - placed.length, 7) + 43;
    const contact = order?.contact ?? random.pick(partners);
    const plan = at(PLANS, index);
    return {
      ...createPaper('document', side, {
        index,
        contact,
        posted,
        planned: order?.planned ?? planLines(random, options),
      }),
      plan,
      due: posted + random.pick([14, 30, 30, 60]),
      orderId: order?.platformId ?? null,
      // Platforms let users delete drafts; sent documents can only be voided.
      deleted: plan === 'DRAFT' && !order && index > documentCount - PLANS.length,
    };
  });
  const credited = documents.filter(({ plan }) => plan !== 'DRAFT' && plan !== 'VOID');
  const notes = credited.slice(0, many(size, NOTES)).map((source, index): DemoNote => {
    const { contact, posted } = source;
    const planned = source.planned.slice(0, 1).map((line) => ({ ...line, quantity: 1 }));
    return {
      ...createPaper('note', side, { index, contact, posted: posted + random.integer(2, 9), planned }),
      source,
      use: at(USES, index),
    };
  });
  return { orders, documents, notes };
}

interface PaperOptions {
  readonly index: number;
  readonly contact: DemoContact;
  readonly posted: number;
  readonly planned: readonly PlannedLine[];
}

function createPaper(
  paper: Exclude<Paper, 'payment'>,
  side: Side,
  { index, contact, posted, planned }: PaperOptions,
): DemoPaper {
  const { platformId, number } = named(side, paper, index);
  const lineItemType = side.lineItemType[paper];
  const { lines, totals } = createLines(planned, {
    platformId,
    lineItemType,
    side,
    country: contact.city[3],
    posted,
  });
  return { platformId, number, contact, posted, planned, lines, totals };
}

/** The element at an index, wrapping around at the end. */
function at<Item>(items: readonly [Item, ...Item[]], index: number): Item {
  return items[index % items.length] ?? items[0];
}

/** The documents of each order, by the order's platform id. */
export function documentsByOrder(documents: readonly DemoDocument[]): Map<string, DemoDocument[]> {
  const byOrder = new Map<string, DemoDocument[]>();
  for (const document of documents) {
    if (document.orderId === null) continue;
    const known = byOrder.get(document.orderId);
    if (known) known.push(document);
    else byOrder.set(document.orderId, [document]);
  }
  return byOrder;
}
