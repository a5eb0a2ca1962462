import { type QuickbooksCompany } from '../company.js';
import { type Line, type TradeDocument } from '../domain.js';
import { activeOf, addDocument, voidDocument } from './documents.js';
import { dayOf, indexes, nth } from './kept.js';
import { accountLine, itemLine, type Place } from './lines.js';
import { accountNamed } from './settings.js';

const ORDERS = 22;
const BILLS = 40;
const CREDITS = 14;
const PURCHASES = 36;

const TYPES = ['Cash', 'Check', 'CreditCard'] as const;

function lines(place: Place): readonly Line[] {
  const bought = itemLine(place, '2', { isSale: false });
  return place.index % 3 === 0 ? [accountLine(place, '1')] : [accountLine(place, '1'), bought];
}

function vendorPlace(company: QuickbooksCompany, index: number) {
  const contact = nth(activeOf(company.shelves.Vendor), index);
  return { contact, place: { company, currency: contact.currency, index } };
}

function addOrder(company: QuickbooksCompany, index: number): TradeDocument {
  const { contact, place } = vendorPlace(company, index);
  const bought = ['1', '2'].map((id) => itemLine(place, id, { isSale: false }));
  const own = {
    dueDate: index % 2 === 0 ? dayOf(index + 20) : null,
    shipTo: index % 3 === 0 ? nth(company.shelves.Customer, 0).shipping : null,
    isClosed: index % 5 === 4,
  };
  return addDocument(company, { entity: 'PurchaseOrder', contact, index, lines: bought, own });
}

/** Every fourth bill came of an order: each names the other. */
function addBill(company: QuickbooksCompany, index: number): void {
  const { PurchaseOrder } = company.shelves;
  const order = index % 4 === 0 ? PurchaseOrder[index / 4] : undefined;
  const { contact, place } = vendorPlace(company, index);
  const bill = addDocument(company, {
    entity: 'Bill',
    contact: order?.contact ?? contact,
    index,
    lines: order ? order.lines : lines(place),
    own: { dueDate: dayOf(index + 30), currency: (order ?? place).currency },
  });
  if (!order) return;
  bill.links.push({ type: 'PurchaseOrder', id: order.id });
  order.links.push({ type: 'Bill', id: bill.id });
  order.isClosed = true;
}

function addPurchase(company: QuickbooksCompany, index: number): void {
  const { Vendor, Customer, Employee } = company.shelves;
  const home = [...activeOf(Vendor), ...activeOf(Customer)].filter(({ currency }) => currency.isHome);
  const contact = index % 9 === 8 ? nth(Employee, index) : index % 5 === 4 ? null : nth(home, index);
  const type = nth(TYPES, index);
  const account = accountNamed(company, type === 'CreditCard' ? 'Mastercard' : 'Checking');
  const isRefund = type === 'CreditCard' && index % 4 === 1;
  const purchase = addDocument(company, {
    entity: 'Purchase',
    contact,
    index,
    lines: lines({ company, currency: company.home, index }),
    own: { currency: company.home, payment: { type, account, isRefund } },
  });
  if (index === 22) voidDocument(purchase);
}

export function makePurchases(company: QuickbooksCompany): void {
  for (const index of indexes(ORDERS)) addOrder(company, index);
  for (const index of indexes(BILLS)) addBill(company, index);
  for (const index of indexes(CREDITS)) {
    const { contact, place } = vendorPlace(company, index);
    addDocument(company, { entity: 'VendorCredit', contact, index, lines: lines(place) });
  }
  for (const index of indexes(PURCHASES)) addPurchase(company, index);
  const rent = accountNamed(company, 'Toronto Dominion');
  const contact = activeOf(company.shelves.Vendor).find(({ currency }) => currency === rent.currency) ?? null;
  const place = { company, currency: rent.currency, index: 60 };
  const own = { payment: { type: 'Check', account: rent, isRefund: false } } as const;
  addDocument(company, { entity: 'Purchase', contact, index: 60, lines: lines(place), own });
}
