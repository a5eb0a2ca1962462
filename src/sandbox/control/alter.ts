import { removeObject as removeFromBooks } from '../books/write/write.js';
import { isBooksKind } from '../books/kinds.js';
import type { BooksObject } from '../books/objects.js';
import { post } from '../books/write/post.js';
import { isPayKind, PAY_KINDS } from '../pay/objects.js';
import { removeObject as removeFromPay } from '../pay/write.js';
import type { Platform } from '../platform.js';
import { isShopKind, moneySet, shopTime } from '../shop/objects.js';
import { removeObject as removeFromShop } from '../shop/write.js';
import type { Change } from '../store/change.js';
import type { ObjectRow } from '../store/objects.js';

/** An object without types: fields are altered by name. */
type Body = Record<string, unknown>;

/** How the control API alters objects of a platform. */
interface Alterations {
  /** Changes the value of a field that clients read. */
  readonly touch: (kind: string, body: Body, mark: string) => Body;
  /** Rules for voiding, by kind: substrings of the JSON of voidable objects, and the fields to set. */
  readonly voids: Readonly<Record<string, { readonly where: readonly string[]; readonly then: Body }>>;
  /** Kinds to delete from if no kind is given. */
  readonly deletable: readonly string[];
  readonly stamp: (body: Body, now: Date) => Body;
}

const VOIDED_INVOICE = { where: ['"State":"sent"', '"State":"overdue"'], then: { State: 'voided' } };
const TOUCHED: Readonly<Record<string, string>> = {
  Currencies: 'Title',
  TaxCodes: 'Title',
  Dimensions: 'Title',
  LedgerAccounts: 'Notes',
  Products: 'Notes',
  Partners: 'Person',
  CompanyDetails: 'RegisteredName',
  Projects: 'Notes',
  Attachments: 'FileName',
  customers: 'name',
  orders: 'reference',
  payment_links: 'description',
  payments: 'description',
  invoices: 'number',
  disputes: 'reason_text',
  balances: 'pending',
};

const TOUCHED_IN_SHOPS: Readonly<Record<string, string>> = {
  transactions: 'message',
  customers: 'last_name',
  fulfillments: 'service',
  products: 'title',
  inventory_levels: 'title',
  shops: 'name',
};

export const ALTERATIONS: Readonly<Record<Platform, Alterations>> = {
  accounting: {
    touch: (kind, body, mark) => {
      if (kind === 'BankMovements') {
        const { State } = body;
        const other: Readonly<Record<string, string>> = { pending: 'cleared', cleared: 'pending' };
        return { ...body, State: other[String(State)] ?? State, Text: mark };
      }
      return withMark(body, TOUCHED[kind] ?? 'Text', mark);
    },
    voids: {
      SalesInvoices: VOIDED_INVOICE,
      PurchaseBills: VOIDED_INVOICE,
      BankMovements: { where: ['"State":"cleared"', '"State":"pending"'], then: { State: 'voided' } },
    },
    deletable: ['BankMovements', 'Journals', 'Expenses', 'Attachments'],
    stamp: (body, now) => ({ ...body, ChangedOn: now.toISOString() }),
  },
  payments: {
    touch: (kind, body, mark) => withMark(body, TOUCHED[kind] ?? 'description', mark),
    voids: { invoices: { where: ['"status":"open"', '"status":"overdue"'], then: { status: 'void' } } },
    deletable: ['customers', 'payment_links'],
    stamp: (body, now) => ('updated' in body ? { ...body, updated: Math.floor(now.getTime() / 1000) } : body),
  },
  ecommerce: {
    touch: (kind, body, mark) =>
      kind === 'balances'
        ? { ...body, amount: (Number(body['amount']) + 1).toFixed(2) }
        : withMark(body, TOUCHED_IN_SHOPS[kind] ?? 'note', mark),
    voids: { orders: { where: ['"cancelled_at":null'], then: { financial_status: 'voided' } } },
    deletable: ['orders'],
    stamp: (body, now) => ({ ...body, updated_at: shopTime(now) }),
  },
};

const withMark = (body: Body, field: string, mark: string): Body => {
  if (typeof body[field] === 'number') return { ...body, [field]: body[field] + 1 };
  const text = typeof body[field] === 'string' ? body[field].replace(/ \(changed \w+\)$/, '') : '';
  return { ...body, [field]: `${text} (changed ${mark})`.trim() };
};

/** Stores an altered object, and reports the change if the platform does. */
export async function storeAltered(
  change: Change,
  platform: Platform,
  row: ObjectRow,
  body: Body,
): Promise<void> {
  const text = JSON.stringify(ALTERATIONS[platform].stamp(body, change.now));
  const { kind, id, number, marker, parent } = row;
  await change.update({
    kind,
    id,
    body: text,
    number: number ?? null,
    marker: marker ?? null,
    parent: parent ?? null,
  });
  if (isBooksKind(kind) && platform === 'accounting')
    await post(change, kind, JSON.parse(text) as BooksObject);
  if (isPayKind(kind) && platform === 'payments') await change.event(`${PAY_KINDS[kind]}.updated`, text);
}

/** The body of an object after voiding. */
export function voidedBody(platform: Platform, kind: string, body: Body, now: Date): Body {
  const { then } = ALTERATIONS[platform].voids[kind] ?? { then: {} };
  const cancelled = platform === 'ecommerce' ? { cancelled_at: shopTime(now) } : {};
  const nothing = (money: unknown) => ({ ...(money as object), Amount: '0.00' });
  return {
    ...body,
    ...then,
    ...cancelled,
    ...('Outstanding' in body ? { Outstanding: nothing(body['Outstanding']) } : {}),
    ...('amount_remaining' in body ? { amount_remaining: 0 } : {}),
    ...('total_outstanding_set' in body
      ? { total_outstanding_set: moneySet('0.00', String(body['currency'])) }
      : {}),
  };
}

/** Deletes an object the way the platform does. */
export async function removeAltered(
  change: Change,
  platform: Platform,
  kind: string,
  id: string,
): Promise<void> {
  if (platform === 'accounting' && isBooksKind(kind)) await removeFromBooks(change, kind, id);
  if (platform === 'payments' && isPayKind(kind)) await removeFromPay(change, kind, id);
  if (platform === 'ecommerce' && isShopKind(kind)) await removeFromShop(change, kind, id);
}
