import { Decimal } from 'decimal.js';

import { type DocumentKind, type Kept, type Line, type TradeDocument } from '../domain.js';
import { type ZohoOrganization } from '../organization.js';
import { totalsOf } from '../totals.js';
import { NAMES } from '../wire.js';
import { type Body, dayIn, listIn, namedIn, numberIn, refuse, textIn } from './body.js';

const WRITTEN = ['invoice', 'bill', 'creditnote', 'vendorcredit'] as const;
export type WrittenKind = (typeof WRITTEN)[number];

const WORDS: Readonly<Record<WrittenKind, string>> = {
  invoice: 'Invoice',
  bill: 'Bill',
  creditnote: 'Credit Note',
  vendorcredit: 'Vendor Credit',
};

interface DocumentWrite {
  readonly organization: ZohoOrganization;
  readonly kind: WrittenKind;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly before: TradeDocument | null;
}

/** The fields of a document that a request has, over those that there are. */
export function documentOf(write: DocumentWrite): Omit<TradeDocument, keyof Kept> {
  const { organization, kind, body, before } = write;
  const side = NAMES[kind].contact;
  const contact = namedIn(
    organization.contacts.filter((one) => one.kind === side),
    body,
    `${side}_id`,
  );
  if (!contact) return refuse(15, `Please select a ${side}.`);
  const currency =
    namedIn(organization.currencies, body, 'currency_id') ?? before?.currency ?? contact.currency;
  if (currency !== contact.currency) refuse(36, `The currency of the ${side} is another one.`);
  const rate = numberIn(body, 'exchange_rate') ?? before?.rate;
  const date = dayIn(body, 'date') || (before?.date ?? organization.now.toISOString().slice(0, 10));
  const lines = 'line_items' in body ? linesIn(write) : (before?.lines ?? []);
  if (lines.length === 0) refuse(15, 'line_items is required');
  const status = before?.status ?? (kind === 'invoice' || body['is_draft'] === true ? 'draft' : 'open');
  const made = {
    kind,
    number: numberOf(write),
    contact,
    currency,
    ...(rate && { rate }),
    date,
    dueDate: dayIn(body, 'due_date') || (before?.dueDate ?? date),
    status,
    notes: 'notes' in body ? textIn(body, 'notes') : (before?.notes ?? ''),
    reference: 'reference_number' in body ? textIn(body, 'reference_number', 100) : (before?.reference ?? ''),
    lines,
    isInclusive:
      'is_inclusive_tax' in body ? body['is_inclusive_tax'] === true : (before?.isInclusive ?? false),
    discount: before?.discount ?? new Decimal(0),
    shipping: before?.shipping ?? new Decimal(0),
    adjustment: before?.adjustment ?? new Decimal(0),
    settled: before?.settled ?? new Decimal(0),
    linkedIds: before?.linkedIds ?? [],
    paidFrom: null,
  };
  if (before && totalsOf({ ...before, ...made }).total.lessThan(before.settled)) {
    refuse(1038, `The total must not be less than what was paid of it.`);
  }
  return made;
}

/** A number is one's own only where Zoho is told not to give one; bills have their vendor's. */
function numberOf({ organization, kind, query, body, before }: DocumentWrite): string {
  const name = NAMES[kind].number;
  const given = textIn(body, name, 100);
  const others = organization.of(kind).filter((one) => one !== before);
  if (given === '') {
    if (before) return before.number;
    return kind === 'bill' ? refuse(15, `${name} is required`) : `${kind}-${others.length + 1000}`;
  }
  if (kind !== 'bill' && given !== before?.number && query.get('ignore_auto_number_generation') !== 'true') {
    refuse(4097, `The ${WORDS[kind]} number is generated automatically.`);
  }
  if (others.some((one) => one.number === given)) {
    refuse(1001, `${WORDS[kind]} number ${given} already exists.`);
  }
  return given;
}

/** Lines that a request has are all there are; those with an id stay. */
function linesIn(write: DocumentWrite): readonly Line[] {
  return listIn(write.body, 'line_items').map((line) => lineIn(write, line));
}

function lineIn({ organization, kind, body, before }: DocumentWrite, line: Body): Line {
  const { items, accounts, taxes } = organization;
  const id = textIn(line, 'line_item_id');
  const old = before?.lines.find((one) => one.id === id);
  if (id !== '' && !old) return refuse(2, 'Invalid value passed for line_item_id');
  const item = namedIn(items, line, 'item_id');
  const isSold = kind === 'invoice' || kind === 'creditnote';
  const account = namedIn(accounts, line, 'account_id') ?? (isSold ? item?.income : item?.outlay);
  if (!account) return refuse(15, 'Please select an account for line item 1.');
  const quantity = numberIn(line, 'quantity') ?? new Decimal(1);
  if (!quantity.isPositive() || quantity.isZero()) refuse(2, 'Invalid value passed for quantity');
  const price = numberIn(line, 'rate');
  if (!price) return refuse(15, 'rate is required');
  const discount = numberIn(line, 'discount') ?? new Decimal(0);
  if (!discount.isZero() && !old && body['discount_type'] !== 'item_level') {
    refuse(2, 'Invalid value passed for discount');
  }
  const [tag] = listIn(line, 'tags');
  return {
    id: old?.id ?? organization.nextId(),
    item,
    account: account,
    description: textIn(line, 'description', 2000),
    quantity,
    price,
    discount,
    tax: namedIn(taxes, line, 'tax_id'),
    tagId: tag ? textIn(tag, 'tag_option_id') : null,
  };
}

/** Calls that change the status. */
export const STATUSES: Readonly<Partial<Record<DocumentKind, Readonly<Record<string, string>>>>> = {
  invoice: { 'status/sent': 'sent', 'status/void': 'void' },
  bill: { 'status/void': 'void' },
};

/** A void document is not open any more. */
export function setStatus(document: TradeDocument, status: string): void {
  if (status === 'void' && document.settled.greaterThan(0) && document.status !== 'void') {
    refuse(1040, 'What was paid cannot be voided.');
  }
  document.status = status;
  if (status === 'void') document.settled = totalsOf(document).total;
}
