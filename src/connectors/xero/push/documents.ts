import { type z } from 'zod';

import { type RecordDefinition } from '../../../records/define.js';
import { bill, billCreditNote, invoice, invoiceCreditNote, purchaseOrder } from '../../../records/index.js';
import { invoiceShape, purchaseOrderShape } from '../../inputs/documents.js';
import { choice, itemOf, name, type OptionalShape, text } from '../../inputs/fields.js';
import { type PlatformObject } from '../../platform.js';
import { bodyOf, type PushResource, type WriteTools } from '../../push.js';
import { discountedLines, plainLines, toXeroLine } from './lines.js';
import { DOCUMENT_SUBJECTS } from './refusal.js';
import { creating, updating, xeroPush } from './resource.js';
import { rate, toXeroRate } from './values.js';

/** Our SUBMITTED is final: Xero's SUBMITTED still awaits approval and cannot be paid. */
const STATUSES = { DRAFT: 'DRAFT', SUBMITTED: 'AUTHORISED', VOID: 'VOIDED' } as const;

/** Documents that were never approved cannot be voided in Xero, only deleted; our record is then deleted too. */
const DELETABLE: readonly unknown[] = ['DRAFT', 'SUBMITTED'];

function statusOf(status: keyof typeof STATUSES | undefined, { current }: WriteTools): string | undefined {
  if (status === 'VOID' && DELETABLE.includes(current?.['Status'])) return 'DELETED';
  return status && STATUSES[status];
}

/**
 * Our prices exclude tax; a document changed at Xero may have had others. One without tax stays so, as the taxes that
 * Xero takes from accounts and contacts would be added to lines without their own.
 */
function amountTypesOf(item: DocumentItem, { current }: WriteTools): string {
  return current?.['LineAmountTypes'] === 'NoTax' && !isTaxed(item) ? 'NoTax' : 'Exclusive';
}

const isTaxed = ({ line_items = [] }: DocumentItem): boolean =>
  line_items.some(({ tax_id }) => tax_id !== undefined && tax_id !== 'NONE');

/** Whether the request depends on the document as it is at Xero. */
function needsCurrent(given: object): boolean {
  const item = given as DocumentItem;
  const isUntaxed = item.line_items !== undefined && !isTaxed(item);
  return item.status === 'VOID' || (isUntaxed && item.raw_data?.['LineAmountTypes'] === undefined);
}

const MAX_REFERENCE = 255;
const { platform_id, contact_id, document_number, posted_date, due_date, currency_id, raw_data } =
  invoiceShape;
const common = {
  platform_id,
  contact_id,
  document_number,
  posted_date,
  currency_id,
  currency_rate: rate(),
  status: choice(['DRAFT', 'SUBMITTED']),
  raw_data,
};
const memo = text(MAX_REFERENCE);

/** All fields that any document has. */
const every = {
  ...common,
  status: choice(['DRAFT', 'SUBMITTED', 'VOID']),
  due_date,
  delivery_date: purchaseOrderShape.delivery_date,
  memo,
  description: memo,
  line_items: discountedLines,
};
type DocumentItem = z.output<z.ZodObject<OptionalShape<typeof every>>>;

interface DocumentPush {
  readonly definition: RecordDefinition;
  readonly list: string;
  readonly idName: string;
  /** Xero's name for its number. */
  readonly numberName: string;
  /** Distinguishes it from other objects in its list. */
  readonly type: string | null;
  /** Its fields, all of them in `every`. */
  readonly shape: typeof common & z.ZodRawShape;
  readonly isUpdated?: boolean;
}

function documentPush(push: DocumentPush): PushResource {
  const { definition, list, idName, numberName, type, shape, isUpdated = false } = push;
  const toBody = (given: object, tools: WriteTools): PlatformObject => {
    const item = given as DocumentItem;
    const amountTypes = item.line_items && (item.raw_data?.['LineAmountTypes'] ?? amountTypesOf(item, tools));
    return bodyOf(item.raw_data, {
      Type: type ?? undefined,
      Contact: item.contact_id === undefined ? undefined : { ContactID: item.contact_id },
      [numberName]: item.document_number,
      Reference: item.memo ?? item.description,
      Date: item.posted_date,
      DueDate: item.due_date,
      DeliveryDate: item.delivery_date,
      CurrencyCode: item.currency_id,
      CurrencyRate: toXeroRate(item.currency_rate),
      Status: statusOf(item.status, tools),
      LineAmountTypes: amountTypes,
      LineItems: item.line_items?.map((line) => toXeroLine(line, tools)),
    });
  };
  const changed = { ...shape, status: every.status, platform_id: name() };
  return xeroPush({
    definition,
    lists: [list],
    create: creating(list, itemOf(shape, ['contact_id', 'line_items']), toBody),
    update: isUpdated
      ? {
          ...updating({ list, idName }, itemOf(changed, ['platform_id']), toBody),
          readsCurrent: needsCurrent,
        }
      : undefined,
    subjects: DOCUMENT_SUBJECTS,
  });
}

const INVOICES = { list: 'Invoices', idName: 'InvoiceID', numberName: 'InvoiceNumber' };
const CREDIT_NOTES = { list: 'CreditNotes', idName: 'CreditNoteID', numberName: 'CreditNoteNumber' };

/**
 * Documents with lines. A change with lines replaces all existing ones. Xero has references only on customers'
 * documents and on orders, and allocates credit in separate calls.
 */
export const documentPushes: readonly PushResource[] = [
  documentPush({
    ...INVOICES,
    definition: invoice,
    type: 'ACCREC',
    shape: { ...common, due_date, memo, line_items: discountedLines },
    isUpdated: true,
  }),
  documentPush({
    ...INVOICES,
    definition: bill,
    type: 'ACCPAY',
    shape: { ...common, due_date, line_items: plainLines },
    isUpdated: true,
  }),
  documentPush({
    ...CREDIT_NOTES,
    definition: invoiceCreditNote,
    type: 'ACCRECCREDIT',
    shape: { ...common, memo, line_items: plainLines },
  }),
  documentPush({
    ...CREDIT_NOTES,
    definition: billCreditNote,
    type: 'ACCPAYCREDIT',
    shape: { ...common, line_items: plainLines },
  }),
  documentPush({
    definition: purchaseOrder,
    list: 'PurchaseOrders',
    idName: 'PurchaseOrderID',
    numberName: 'PurchaseOrderNumber',
    type: null,
    shape: {
      ...common,
      delivery_date: every.delivery_date,
      description: every.description,
      line_items: plainLines,
    },
  }),
];
