import { type QuickbooksCompany } from '../company.js';
import { type Account, type Applied, type Contact, type Kept, type Payment } from '../domain.js';
import { business, duplicateNumber, invalidReference, missing, Refusal } from '../problems.js';
import { balanceOf, sumOf } from '../totals.js';
import { type Body, dayIn, listIn, neededText, numberIn, objectIn, textIn } from './body.js';
import { currencyIn, namedBy } from './find.js';

/** A payment of documents of one contact, in whose currency it is, that are open as far as it pays them. */
export function paymentOf(
  company: QuickbooksCompany,
  entity: Payment['entity'],
  body: Body,
): Omit<Payment, keyof Kept> {
  const isSale = entity === 'Payment';
  const name = isSale ? 'CustomerRef' : 'VendorRef';
  const contact = namedBy<Contact>(company.shelves[isSale ? 'Customer' : 'Vendor'], body, name);
  if (!contact) throw new Refusal(missing(name));
  const total = numberIn(body, 'TotalAmt');
  if (!total) throw new Refusal(missing('TotalAmt'));
  const currency = currencyIn(company, body) ?? contact.currency;
  if (currency !== contact.currency) {
    throw new Refusal(business('The currency of the transaction must be that of the customer or vendor.'));
  }
  const applied = listIn(body, 'Line').map((line) => appliedIn(company, { line, contact, isSale }));
  if (sumOf(applied.map(({ amount }) => amount)).greaterThan(total)) {
    throw new Refusal(business('The amount of the lines must not be more than the total amount.'));
  }
  const number = textIn(body, isSale ? 'PaymentRefNum' : 'DocNumber', 21);
  const twin = isSale ? undefined : company.shelves.BillPayment.find((one) => one.number === number);
  if (twin && number !== null) throw new Refusal(duplicateNumber(number, entity, twin.id));
  const rate = numberIn(body, 'ExchangeRate');
  return {
    entity,
    contact,
    date: dayIn(body, 'TxnDate') ?? company.now.toISOString().slice(0, 10),
    currency: rate === null ? currency : { ...currency, rate },
    total,
    applied,
    ...(isSale ? depositedTo(company, body) : paidFrom(company, body)),
    number,
    note: textIn(body, 'PrivateNote'),
  };
}

interface Place {
  readonly line: Body;
  readonly contact: Contact;
  readonly isSale: boolean;
}

function appliedIn({ shelves }: QuickbooksCompany, { line, contact, isSale }: Place): Applied {
  const amount = numberIn(line, 'Amount');
  if (!amount) throw new Refusal(missing('Amount'));
  const [link = {}] = listIn(line, 'LinkedTxn');
  const [id, type] = [neededText(link, 'TxnId'), neededText(link, 'TxnType')];
  if (type !== (isSale ? 'Invoice' : 'Bill')) throw new Refusal(invalidReference('Line.LinkedTxn'));
  const document = shelves[type].find((one) => one.id === id);
  if (document?.contact !== contact) throw new Refusal(invalidReference('Line.LinkedTxn'));
  if (amount.greaterThan(balanceOf(document))) {
    throw new Refusal(business('The amount applied must not be more than what is open.'));
  }
  return { type, id, amount };
}

type From = Pick<Payment, 'account' | 'payType'>;

function depositedTo({ shelves }: QuickbooksCompany, body: Body): From {
  const account = namedBy(shelves.Account, body, 'DepositToAccountRef');
  const usual = shelves.Account.find(({ name }) => name === 'Undeposited Funds') ?? null;
  const isAble = account === null || account.type === 'Bank' || account.type === 'Other Current Asset';
  if (!isAble) throw new Refusal(business('Select a bank or other current asset account to deposit to.'));
  return { account: account ?? usual, payType: null };
}

function paidFrom({ shelves }: QuickbooksCompany, body: Body): From {
  const payType = neededText(body, 'PayType') as 'Check' | 'CreditCard';
  const [part, name, type] =
    payType === 'Check'
      ? (['CheckPayment', 'BankAccountRef', 'Bank'] as const)
      : (['CreditCardPayment', 'CCAccountRef', 'Credit Card'] as const);
  const account: Account | null = namedBy(shelves.Account, objectIn(body, part) ?? {}, name);
  if (!account) throw new Refusal(missing(name));
  if (account.type !== type) throw new Refusal(business(`Select an account of the type ${type}.`));
  return { account, payType };
}

/** What is paid is less open, and names what paid it. */
export function settle(company: QuickbooksCompany, payment: Payment): void {
  const { shelves } = company;
  const { id, applied, payType } = payment;
  for (const part of applied) {
    if (part.type !== 'Invoice' && part.type !== 'Bill') continue;
    const document = shelves[part.type].find((one) => one.id === part.id);
    if (!document) continue;
    document.settled = document.settled.plus(part.amount);
    document.links.push({ type: payType === null ? 'Payment' : `BillPayment${payType}`, id });
    company.touch(document);
  }
}
