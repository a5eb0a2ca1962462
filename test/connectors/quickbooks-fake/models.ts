import { type QuickbooksCompany } from './company.js';
import {
  type Account,
  type Attachable,
  type CardPayment,
  type Contact,
  type Deposit,
  type Dimension,
  type Item,
  type Kept,
  type Payment,
  type TradeDocument,
  type Transfer,
} from './domain.js';
import { totalOf } from './totals.js';
import { unappliedOf } from './unapplied.js';
import { documentId, voucherOf } from './vouchers.js';

export interface Model {
  /** The objects that become records of the type. */
  readonly objects: (company: QuickbooksCompany) => readonly Kept[];
  /** The ids of the records that an object becomes. */
  readonly ids: (object: never) => readonly string[];
}

function model<Object extends Kept>(
  objects: (company: QuickbooksCompany) => readonly Object[],
  ids: (object: Object) => readonly string[] = ({ id }) => [id],
): Model {
  return { objects, ids };
}

export const kindId = ({ kind, id }: Contact | Dimension): string => `${kind.toLowerCase()}:${id}`;

export const isBank = ({ type }: Account): boolean => type === 'Bank' || type === 'Credit Card';

/** A payment is a record for each of what it was applied to, and one more for what is left. */
export function paymentIds(payment: Payment): readonly string[] {
  if (isVoid(payment)) return [];
  const parts = payment.applied.map(({ type, id }) => `${payment.id}:${type.toLowerCase()}:${id}`);
  return parts.length === 0 || !unappliedOf(payment).isZero() ? [...parts, payment.id] : parts;
}

const documentIds = ({ entity, id }: TradeDocument): readonly string[] => [documentId(entity, id)];

/** A receipt that comes to nothing, as a voided one does, is no payment. */
export const receiptPaymentIds = (document: TradeDocument): readonly string[] =>
  totalOf(document).isZero() ? [] : documentIds(document);

export const isVoid = ({ total, applied }: Payment): boolean => total.isZero() && applied.length === 0;

function movementOf(object: TradeDocument | Deposit | Transfer | CardPayment): string {
  if ('payment' in object) return 'purchase';
  if ('card' in object) return 'creditcardpayment';
  return 'from' in object ? 'transfer' : 'deposit';
}

/** What of a company is a record of ours, by its id in our form. */
const MODELS: Readonly<Record<string, Model>> = {
  COMPANY_INFO: model(({ info }) => [info]),
  CURRENCIES: model(
    ({ home, shelves }) => [home, ...shelves.CompanyCurrency],
    ({ code }) => [code],
  ),
  TAX_RATES: model(({ shelves }) => shelves.TaxCode),
  ACCOUNTS: model(({ shelves }) => shelves.Account),
  BANK_ACCOUNTS: model(({ shelves }) => shelves.Account.filter(isBank)),
  TRACKING_CATEGORIES: model(
    ({ shelves }) => [...shelves.Class, ...shelves.Department],
    (dimension) => [kindId(dimension)],
  ),
  CONTACTS: model(
    ({ shelves }) => [...shelves.Customer, ...shelves.Vendor],
    (contact) => [kindId(contact)],
  ),
  ITEMS: model<Item>(({ shelves }) => shelves.Item.filter(({ type }) => type !== 'Category')),
  INVOICES: model(({ shelves }) => [...shelves.SalesReceipt, ...shelves.Invoice], documentIds),
  INVOICE_CREDIT_NOTES: model(
    ({ shelves }) => [...shelves.CreditMemo, ...shelves.RefundReceipt],
    documentIds,
  ),
  BILLS: model(({ shelves }) => shelves.Bill),
  BILL_CREDIT_NOTES: model(({ shelves }) => shelves.VendorCredit),
  PURCHASE_ORDERS: model(({ shelves }) => shelves.PurchaseOrder),
  EXPENSES: model(({ shelves }) => shelves.Purchase.filter((purchase) => !purchase.isVoid)),
  INVOICE_PAYMENTS: model(
    ({ shelves }) => [...shelves.Payment, ...shelves.SalesReceipt, ...shelves.RefundReceipt],
    (object) => ('applied' in object ? paymentIds(object) : receiptPaymentIds(object)),
  ),
  BILL_PAYMENTS: model(({ shelves }) => shelves.BillPayment, paymentIds),
  BANK_TRANSACTIONS: model(
    ({ shelves }) => [
      ...shelves.Purchase,
      ...shelves.Deposit,
      ...shelves.Transfer,
      ...shelves.CreditCardPayment,
    ],
    (object) => [`${movementOf(object)}:${object.id}`],
  ),
  JOURNAL_ENTRIES: model(({ shelves }) => shelves.JournalEntry),
  DOCUMENTS: model<Attachable>(({ shelves }) => shelves.Attachable.filter((one) => voucherOf(one) !== null)),
};

export const MODEL_NAMES: readonly string[] = Object.keys(MODELS);

export function modelOf(dataModel: string): Model {
  const found = MODELS[dataModel];
  if (!found) throw new Error(`there is no ${dataModel}`);
  return found;
}

export function recordIdsOf(object: Kept, dataModel: string): readonly string[] {
  return modelOf(dataModel).ids(object as never);
}

export function livingIdsOf(company: QuickbooksCompany, dataModel: string): readonly string[] {
  return modelOf(dataModel)
    .objects(company)
    .flatMap((object) => recordIdsOf(object, dataModel));
}
