import { type z } from 'zod';

import { type RecordDefinition } from '../../../../records/define.js';
import {
  bill,
  billCreditNote,
  expense,
  invoice,
  invoiceCreditNote,
  purchaseOrder,
  salesOrder,
} from '../../../../records/index.js';
import {
  billCreditNoteShape,
  billShape,
  expenseShape,
  invoiceCreditNoteShape,
  invoiceShape,
  purchaseOrderShape,
  salesOrderShape,
} from '../../../inputs/documents.js';
import { choice, itemOf, type OptionalShape } from '../../../inputs/fields.js';
import { type PlatformObject } from '../../../platform.js';
import { type LookupNeed } from '../../../pull.js';
import { bodyOf, changesNamed, type PushResource, type WriteTools } from '../../../push.js';
import { appliedTo } from './applied.js';
import { booksLines, toBooksLine } from './lines.js';
import { type FieldNames } from './refusal.js';
import { booksPush, creating, updating } from './resource.js';
import { codesTo, toBooksCustomFields, toBooksDay, wordFor } from './tools.js';
import { CREDIT_NOTE_STATES, INVOICE_STATES, ORDER_STATES, PAYMENT_MEANS } from './words.js';

const line_items = booksLines;
const status = choice(['DRAFT', 'SUBMITTED', 'VOID']);
const orderStatus = choice(['DRAFT', 'SUBMITTED', 'PAID', 'VOID']);

/** Fields of every document; `own` adds those of its kind. */
type Documents = Pick<typeof invoiceShape, 'platform_id' | 'contact_id' | 'raw_data'> & z.ZodRawShape;
type ItemOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<OptionalShape<Shape>>>;
type CommonItem = ItemOf<Omit<typeof invoiceShape, 'line_items'> & { line_items: typeof booksLines }>;

interface DocumentPush<Shape extends Documents> {
  readonly definition: RecordDefinition;
  readonly kind: string;
  readonly shape: Shape;
  readonly needed: readonly (keyof Shape & string)[];
  readonly isUpdated?: boolean;
  readonly own: (item: ItemOf<Shape>, tools: WriteTools) => PlatformObject;
  readonly names?: FieldNames;
  readonly reads?: readonly LookupNeed[];
  readonly changesAlong?: PushResource['changesAlong'];
}

function documentPush<Shape extends Documents>(push: DocumentPush<Shape>): PushResource {
  const { definition, kind, shape, needed, isUpdated = false, own, names, reads, changesAlong } = push;
  const toBody = (given: object, tools: WriteTools) => {
    const item = given as CommonItem;
    const codes = codesTo(tools);
    return bodyOf(item.raw_data, {
      Number: item.document_number,
      Partner: item.contact_id,
      Currency: codes.currency(item.currency_id),
      ExchangeRate: item.currency_rate,
      Date: toBooksDay(item.posted_date),
      Lines: item.line_items?.map((line) => toBooksLine(line, codes)),
      CustomFields: toBooksCustomFields(item.custom_fields),
      ...own(given as ItemOf<Shape>, tools),
    });
  };
  return booksPush({
    definition,
    kind,
    create: creating(kind, itemOf(shape, needed), toBody),
    update: isUpdated ? updating(kind, itemOf(shape, ['platform_id']), toBody) : null,
    names,
    reads,
    changesAlong,
  });
}

const invoiceState = wordFor(INVOICE_STATES);
const creditNoteState = wordFor(CREDIT_NOTE_STATES);
const orderState = wordFor(ORDER_STATES);
const paymentMeans = wordFor(PAYMENT_MEANS);

export const documentPushes: readonly PushResource[] = [
  documentPush({
    definition: invoice,
    kind: 'SalesInvoices',
    shape: { ...invoiceShape, line_items, status },
    needed: ['contact_id', 'line_items'],
    isUpdated: true,
    own: (item) => ({
      DueDate: toBooksDay(item.due_date),
      Text: item.memo,
      State: invoiceState(item.status),
      SalesOrders: item.sales_order_ids,
    }),
    names: { SalesOrders: 'sales_order_ids' },
  }),
  documentPush({
    definition: bill,
    kind: 'PurchaseBills',
    shape: { ...billShape, line_items, status },
    needed: ['contact_id', 'line_items'],
    isUpdated: true,
    own: (item) => ({
      DueDate: toBooksDay(item.due_date),
      Text: item.memo,
      State: invoiceState(item.status),
      PurchaseOrders: item.purchase_order_ids,
    }),
    names: { PurchaseOrders: 'purchase_order_ids' },
  }),
  documentPush({
    definition: invoiceCreditNote,
    kind: 'SalesCreditNotes',
    shape: { ...invoiceCreditNoteShape, line_items, status },
    needed: ['contact_id', 'line_items'],
    own: (item, tools) => ({
      Text: item.memo,
      State: creditNoteState(item.status),
      Applied: appliedTo(
        item.invoice_ids,
        { dataModel: 'INVOICES', name: 'Invoice' },
        item.line_items,
        tools,
      ),
    }),
    names: { Applied: 'invoice_ids', Invoice: 'invoice_ids' },
    changesAlong: changesNamed('INVOICES'),
    reads: [{ dataModel: 'INVOICES', field: 'amountDue' }],
  }),
  documentPush({
    definition: billCreditNote,
    kind: 'SupplierCredits',
    shape: { ...billCreditNoteShape, line_items, status },
    needed: ['contact_id', 'line_items'],
    own: (item, tools) => ({
      Text: item.memo,
      State: creditNoteState(item.status),
      Applied: appliedTo(item.bill_ids, { dataModel: 'BILLS', name: 'Bill' }, item.line_items, tools),
    }),
    names: { Applied: 'bill_ids', Bill: 'bill_ids' },
    changesAlong: changesNamed('BILLS'),
    reads: [{ dataModel: 'BILLS', field: 'amountDue' }],
  }),
  documentPush({
    definition: salesOrder,
    kind: 'SalesOrders',
    shape: { ...salesOrderShape, line_items, status: orderStatus },
    needed: ['contact_id', 'line_items'],
    own: (item) => ({
      Text: item.description,
      State: orderState(item.status),
      DeliveryDate: toBooksDay(item.delivery_date),
    }),
    names: { Text: 'description' },
  }),
  documentPush({
    definition: purchaseOrder,
    kind: 'PurchaseOrders',
    shape: { ...purchaseOrderShape, line_items, status: orderStatus },
    needed: ['contact_id', 'line_items'],
    own: (item) => ({
      Text: item.description,
      State: orderState(item.status),
      DeliveryDate: toBooksDay(item.delivery_date),
      PaymentMeans: paymentMeans(item.payment_mode),
    }),
    names: { Text: 'description' },
  }),
  documentPush({
    definition: expense,
    kind: 'Expenses',
    shape: { ...expenseShape, line_items },
    needed: ['account_id', 'line_items'],
    isUpdated: true,
    own: (item, tools) => ({
      AccountNumber: codesTo(tools).account(item.account_id),
      PaymentMeans: paymentMeans(item.payment_mode),
      Text: item.memo,
    }),
  }),
];
