import { type z } from 'zod';

import {
  bill,
  billCreditNote,
  invoice,
  invoiceCreditNote,
  type RecordDefinition,
} from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { checked } from '../../inputs/checked.js';
import { invoiceShape } from '../../inputs/documents.js';
import { choice, itemOf, name, type OptionalShape, text } from '../../inputs/fields.js';
import { bodyOf, type PushResource, type WriteForm, writeForm, type WriteTools } from '../../push.js';
import { toNumber } from '../../values/json-number.js';
import { textOf } from '../../values/platform-values.js';
import { findByReference, type Searched } from './find.js';
import { invoiceLines, isDiscounted, keptLines, plainLines, toZohoLine, warnedDiscounts } from './lines.js';
import { type Subjects } from './refusal.js';
import { changeIn, createIn, isStatusAlone, statusIn, zohoPush } from './resource.js';
import { ownFields } from './values.js';

const { platform_id, contact_id, posted_date, due_date, currency_id, currency_rate } = invoiceShape;
/** The reference has our marker, by which a document is found again. */
const common = {
  platform_id,
  contact_id,
  document_number: name(100),
  posted_date,
  currency_id,
  currency_rate,
  memo: text(),
  raw_data: ownFields('reference_number', 'line_items'),
};

/** All fields that any document has. */
const every = {
  ...common,
  due_date,
  status: choice(['DRAFT', 'SUBMITTED', 'VOID']),
  line_items: plainLines,
};
type DocumentItem = z.output<z.ZodObject<OptionalShape<typeof every>>>;

interface DocumentPush {
  readonly definition: RecordDefinition;
  readonly list: Searched;
  readonly side: 'customer_id' | 'vendor_id';
  /** Zoho's name for its number. */
  readonly number: string;
  /** Whether Zoho numbers documents itself, unless it is told not to. */
  readonly isNumbered: boolean;
  /** Its fields, all of them in `every`. */
  readonly shape: z.ZodRawShape;
  readonly required: readonly string[];
  readonly bodyOfStatus?: (status: DocumentItem['status']) => PlatformObject;
  /** Calls that change its status, by ours; absent if there are no changes. */
  readonly statuses?: Readonly<Partial<Record<string, string>>>;
  /** What a change repeats of the document, as Zoho wants it. */
  readonly repeated?: (current: PlatformObject | null) => PlatformObject;
}

function documentPush(push: DocumentPush): PushResource {
  const { definition, list, shape, required, statuses } = push;
  const isSent = statuses?.['SUBMITTED'] !== undefined;
  const create = itemOf(shape, required);
  return zohoPush({
    definition,
    list,
    create: {
      ...writeForm(create, (given, tools) => {
        const item = given as DocumentItem;
        const body = { ...documentBody(push, item, null), reference_number: tools.marker };
        return createIn(list, body, queryOf(push, item));
      }),
      ...(isSent && { follow: followIn(push) }),
    },
    ...(statuses && { update: changeForm(push, statuses) }),
    find: findByReference(list),
    isOutdated: (written) => isSent && written['status'] === 'draft',
    warned: warnedDiscounts,
    subjects: SUBJECTS,
  });
}

/** A new invoice is a draft, until it is marked as sent. */
const followIn =
  ({ list }: DocumentPush): NonNullable<WriteForm['follow']> =>
  (given, written) =>
    given['status'] === 'SUBMITTED' && written['status'] === 'draft'
      ? [statusIn(list, written[list.idName], SENT)]
      : [];
const SENT = 'status/sent';

function changeForm(push: DocumentPush, statuses: NonNullable<DocumentPush['statuses']>): WriteForm {
  const { list, shape } = push;
  const status = choice(Object.keys(statuses));
  const input = checked(
    itemOf({ ...shape, platform_id: name(), status }, ['platform_id']),
    (given, { wrong }) => {
      if (given.status !== undefined && !isStatusAlone(given))
        wrong(['status'], 'must be the only change: Zoho Books has a call of its own for it');
    },
  );
  return {
    ...writeForm(input, (given, { current }) => {
      const item = given as DocumentItem;
      const word = statuses[item.status ?? ''];
      return word === undefined
        ? changeIn(list, item.platform_id, documentBody(push, item, current), queryOf(push, item))
        : statusIn(list, item.platform_id, word);
    }),
    readsCurrent: ({ status: wanted }) => wanted === undefined,
  };
}

/** A number of the caller's is one that Zoho does not give itself. */
const queryOf = ({ isNumbered }: DocumentPush, { document_number: number }: DocumentItem) =>
  isNumbered && number !== undefined ? { ignore_auto_number_generation: 'true' } : undefined;

function documentBody(
  push: DocumentPush,
  item: DocumentItem,
  current: WriteTools['current'],
): PlatformObject {
  const { line_items: lines, raw_data: raw } = item;
  const isInclusive = raw?.['is_inclusive_tax'];
  const fields = bodyOf(undefined, {
    [push.side]: item.contact_id,
    [push.number]: item.document_number,
    currency_id: item.currency_id,
    exchange_rate: toNumber(item.currency_rate),
    date: item.posted_date,
    due_date: item.due_date,
    notes: item.memo,
    ...push.bodyOfStatus?.(item.status),
    ...(lines && {
      line_items: lines.map(toZohoLine),
      // Our prices exclude tax, unless the caller says otherwise.
      is_inclusive_tax: isInclusive ?? false,
      ...(lines.some(isDiscounted) && { discount_type: 'item_level', is_discount_before_tax: true }),
    }),
  });
  return bodyOf(raw, { ...push.repeated?.(current), ...fields });
}

const SUBJECTS: Subjects = [
  [/customer_id|vendor_id/i, 'contact_id'],
  [/due[_ ]?date/i, 'due_date'],
  [/exchange[_ ]?rate/i, 'currency_rate'],
  [/currency/i, 'currency_id'],
  [/(invoice|bill|credit ?note|credit)[_ ]?number|bill[_ ]?#|number/i, 'document_number'],
  [/line[_ ]?items?|item|account|\brate\b|quantity|discount|\btax/i, 'line_items'],
  [/notes/i, 'memo'],
  [/\bdate\b/i, 'posted_date'],
  [/customer|vendor/i, 'contact_id'],
];

const INVOICES: Searched = { path: 'invoices', one: 'invoice', idName: 'invoice_id' };
const BILLS: Searched = { path: 'bills', one: 'bill', idName: 'bill_id' };
const CREDIT_NOTES: Searched = { path: 'creditnotes', one: 'creditnote', idName: 'creditnote_id' };
const VENDOR_CREDITS: Searched = {
  path: 'vendorcredits',
  one: 'vendor_credit',
  idName: 'vendor_credit_id',
};

/** Documents with lines. A change with lines replaces all existing ones. */
export const documentPushes: readonly PushResource[] = [
  documentPush({
    definition: invoice,
    list: INVOICES,
    side: 'customer_id',
    number: 'invoice_number',
    isNumbered: true,
    shape: { ...common, due_date, status: choice(['DRAFT', 'SUBMITTED']), line_items: invoiceLines },
    required: ['contact_id', 'line_items'],
    statuses: { SUBMITTED: SENT, VOID: 'status/void' },
    repeated: (current) => ({
      customer_id: textOf(current?.['customer_id']) ?? undefined,
      line_items: keptLines(current),
    }),
  }),
  documentPush({
    definition: bill,
    list: BILLS,
    side: 'vendor_id',
    number: 'bill_number',
    isNumbered: false,
    shape: { ...common, due_date, status: choice(['SUBMITTED']), line_items: plainLines },
    required: ['contact_id', 'document_number', 'line_items'],
    statuses: { VOID: 'status/void' },
    repeated: (current) => ({
      vendor_id: textOf(current?.['vendor_id']) ?? undefined,
      bill_number: textOf(current?.['bill_number']) ?? undefined,
    }),
  }),
  documentPush({
    definition: invoiceCreditNote,
    list: CREDIT_NOTES,
    side: 'customer_id',
    number: 'creditnote_number',
    isNumbered: true,
    shape: { ...common, status: choice(['DRAFT', 'SUBMITTED']), line_items: plainLines },
    required: ['contact_id', 'document_number', 'posted_date', 'line_items'],
    bodyOfStatus: (status) => (status === undefined ? {} : { is_draft: status === 'DRAFT' }),
  }),
  documentPush({
    definition: billCreditNote,
    list: VENDOR_CREDITS,
    side: 'vendor_id',
    number: 'vendor_credit_number',
    isNumbered: true,
    shape: { ...common, status: choice(['SUBMITTED']), line_items: plainLines },
    required: ['contact_id', 'line_items'],
  }),
];
