import { type Contact, type TradeDocument } from '../domain.js';
import { balanceOf, taxOf, totalOf } from '../totals.js';
import { isSale, linesToWire } from './lines.js';
import { address, base, type Json, money, number, optional, optionalRef, ref } from './values.js';

/** A person or company where a document may name several kinds. */
export const entityRef = ({ id, name, kind }: Contact): Json => ({ value: id, name, type: kind });

function shared(document: TradeDocument): Json {
  return {
    ...optional('DocNumber', document.number),
    TxnDate: document.date,
    ...optionalRef('DepartmentRef', document.department),
    ...money(document.currency),
    ...optional('PrivateNote', document.note),
    ...(document.links.length > 0
      ? { LinkedTxn: document.links.map(({ type, id }) => ({ TxnId: id, TxnType: type })) }
      : {}),
    ...optional('GlobalTaxCalculation', document.taxMode),
    ...(isSale(document) || document.taxMode ? { TxnTaxDetail: taxDetail(document) } : {}),
    Line: linesToWire(document),
    TotalAmt: number(totalOf(document)),
    ...base(document),
  };
}

const homeAmount = (name: string, document: TradeDocument, amount = totalOf(document)): Json =>
  document.currency.isHome ? {} : { [name]: number(amount.times(document.currency.rate).toDecimalPlaces(2)) };

export function saleToWire(document: TradeDocument): Json {
  const { contact, entity } = document;
  return {
    ...shared(document),
    CustomField: [{ DefinitionId: '1', Name: 'Crew #', Type: 'StringType', StringValue: `1${document.id}` }],
    ...optionalRef('CustomerRef', contact),
    ...optional('CustomerMemo', document.message && { value: document.message }),
    ...(contact ? address('BillAddr', contact.billing) : {}),
    ...address('ShipAddr', document.shipTo),
    ...optional('DueDate', document.dueDate),
    ...homeAmount('HomeTotalAmt', document),
    ...(document.taxMode ? {} : { ApplyTaxAfterDiscount: false }),
    PrintStatus: 'NeedToPrint',
    EmailStatus: 'NotSet',
    ...optional('BillEmail', contact?.email && { Address: contact.email }),
    Balance: number(balanceOf(document)),
    ...homeAmount('HomeBalance', document, balanceOf(document)),
    ...(entity === 'Invoice' ? { AllowIPNPayment: false } : {}),
    ...(entity === 'CreditMemo' ? { RemainingCredit: number(balanceOf(document)) } : {}),
    ...receiptToWire(document),
  };
}

const receiptToWire = ({ receipt }: TradeDocument): Json =>
  receipt
    ? {
        DepositToAccountRef: ref(receipt.account.id, receipt.account.name),
        ...optional('PaymentMethodRef', receipt.method && ref(receipt.method.id, receipt.method.name)),
        ...optional('PaymentRefNum', receipt.reference),
      }
    : {};

const taxDetail = (document: TradeDocument): Json => ({
  ...(document.taxCode ? { TxnTaxCodeRef: ref(document.taxCode.id) } : {}),
  TotalTax: number(taxOf(document)),
  ...(document.tax.length > 0 ? { TaxLine: document.tax.map(taxLine) } : {}),
});

const taxLine = ({ rate, taxed, amount }: TradeDocument['tax'][number]): Json => ({
  Amount: number(amount),
  DetailType: 'TaxLineDetail',
  TaxLineDetail: {
    TaxRateRef: ref(rate.id),
    PercentBased: true,
    TaxPercent: number(rate.rate),
    NetAmountTaxable: number(taxed),
  },
});

const payable = { APAccountRef: ref('38', 'Accounts Payable (A/P)') };

export const billToWire = (document: TradeDocument): Json => ({
  ...shared(document),
  ...payable,
  ...optionalRef('VendorRef', document.contact),
  ...(document.contact ? address('VendorAddr', document.contact.billing) : {}),
  ...optional('DueDate', document.dueDate),
  Balance: number(balanceOf(document)),
  ...homeAmount('HomeBalance', document, balanceOf(document)),
});

export const vendorCreditToWire = (document: TradeDocument): Json => ({
  ...shared(document),
  ...payable,
  ...optionalRef('VendorRef', document.contact),
  Balance: number(balanceOf(document)),
});

export const orderToWire = (document: TradeDocument): Json => ({
  ...shared(document),
  ...payable,
  ...optionalRef('VendorRef', document.contact),
  ...(document.contact ? address('VendorAddr', document.contact.billing) : {}),
  ...address('ShipAddr', document.shipTo),
  ...optional('DueDate', document.dueDate),
  POStatus: document.isClosed ? 'Closed' : 'Open',
  EmailStatus: 'NotSet',
});

export function purchaseToWire(document: TradeDocument): Json {
  const { payment, contact } = document;
  if (!payment) throw new Error(`purchase ${document.id} is not paid`);
  return {
    AccountRef: ref(payment.account.id, payment.account.name),
    PaymentType: payment.type,
    ...optional('EntityRef', contact && entityRef(contact)),
    ...(payment.type === 'CreditCard' ? { Credit: payment.isRefund } : {}),
    ...(payment.type === 'Check' ? { PrintStatus: 'NotSet' } : {}),
    ...shared(document),
    PurchaseEx: {
      any: [
        {
          name: '{http://schema.intuit.com/finance/v3}NameValue',
          declaredType: 'com.intuit.schema.finance.v3.NameValue',
          scope: 'javax.xml.bind.JAXBElement$GlobalScope',
          value: { Name: 'TxnType', Value: '54' },
          nil: false,
          globalScope: true,
          typeSubstituted: false,
        },
      ],
    },
  };
}
