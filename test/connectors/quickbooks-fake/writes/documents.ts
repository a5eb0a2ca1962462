import { type QuickbooksCompany } from '../company.js';
import { type Contact, type Kept, SALES, type TradeDocument, type TradeEntity } from '../domain.js';
import { business, duplicateNumber, missing, Refusal } from '../problems.js';
import { ZERO } from '../totals.js';
import { type Body, dayIn, listIn, numberIn, objectIn, textIn } from './body.js';
import { addressIn } from './contacts.js';
import { currencyIn, namedBy } from './find.js';
import { linesIn } from './lines.js';
import { taxedOf } from './taxes.js';

const MAX_NUMBER = 21;

export function documentOf(
  company: QuickbooksCompany,
  entity: TradeEntity,
  body: Body,
  before: TradeDocument | null,
): Omit<TradeDocument, keyof Kept> {
  const isSale = SALES.includes(entity);
  const contact = isSale
    ? namedBy<Contact>(company.shelves.Customer, body, 'CustomerRef')
    : namedBy<Contact>(company.shelves.Vendor, body, 'VendorRef');
  if (!contact) throw new Refusal(missing(isSale ? 'CustomerRef' : 'VendorRef'));
  if (listIn(body, 'Line').length === 0) throw new Refusal(missing('Line'));
  const currency = currencyIn(company, body) ?? contact.currency;
  if (currency !== contact.currency) {
    throw new Refusal(business('The currency of the transaction must be that of the customer or vendor.'));
  }
  const rate = numberIn(body, 'ExchangeRate');
  const lines = linesIn(company, entity, body);
  const memo = objectIn(body, 'CustomerMemo');
  const date = dayIn(body, 'TxnDate') ?? company.now.toISOString().slice(0, 10);
  return {
    entity,
    number: numberOf(company, { entity, body, before }),
    contact,
    date,
    dueDate: entity === 'Invoice' || entity === 'Bill' ? (dayIn(body, 'DueDate') ?? date) : null,
    currency: rate === null || rate.equals(currency.rate) ? currency : { ...currency, rate },
    ...taxedOf(company, { entity, lines, currency, body }),
    department: namedBy(company.shelves.Department, body, 'DepartmentRef'),
    message: isSale && memo ? textIn(memo, 'value', 1000) : null,
    note: textIn(body, 'PrivateNote'),
    settled: before?.settled ?? ZERO,
    links: before?.links ?? [],
    isVoid: before?.isVoid ?? false,
    isClosed: before?.isClosed ?? false,
    shipTo: isSale ? addressIn(body, 'ShipAddr') : null,
    payment: null,
    receipt: null,
  };
}

/** Sales without a number get the next one; two of a kind must not have the same. */
function numberOf(
  { shelves }: QuickbooksCompany,
  { entity, body, before }: { entity: TradeEntity; body: Body; before: TradeDocument | null },
): string | null {
  const given = textIn(body, 'DocNumber', MAX_NUMBER);
  const others = shelves[entity].filter((one) => one !== before);
  if (given === null) {
    if (before || !SALES.includes(entity)) return null;
    const numbers = others.map(({ number }) => Number(number)).filter(Number.isInteger);
    return String(Math.max(1000, ...numbers) + 1);
  }
  const twin = others.find(({ number }) => number === given);
  if (twin) throw new Refusal(duplicateNumber(given, entity, twin.id));
  return given;
}
