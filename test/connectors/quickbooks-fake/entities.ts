import { type EntityName, type QuickbooksCompany } from './company.js';
import { type Kept } from './domain.js';
import { billToWire, orderToWire, purchaseToWire, saleToWire, vendorCreditToWire } from './wire/documents.js';
import { contactToWire, itemToWire } from './wire/masters.js';
import {
  attachableToWire,
  billPaymentToWire,
  cardPaymentToWire,
  depositToWire,
  journalToWire,
  paymentMethodToWire,
  paymentToWire,
  transferToWire,
} from './wire/money.js';
import {
  accountToWire,
  companyInfoToWire,
  currencyToWire,
  dimensionToWire,
  preferencesToWire,
  taxAgencyToWire,
  taxCodeToWire,
  taxRateToWire,
} from './wire/settings.js';
import { type Json } from './wire/values.js';

/** What is sent of a company, and where its files are. */
export interface View {
  readonly company: QuickbooksCompany;
  readonly fileOrigin: string;
}

export interface Entity {
  readonly name: string;
  /** Its name in answers. */
  readonly answered: string;
  /** Inactive ones are left out of queries that do not ask for them. */
  readonly isNameList: boolean;
  /** Whether changes of it are listed. */
  readonly hasChanges: boolean;
  /** What queries may filter by, beside `Id` and the two times. */
  readonly filterable: readonly string[];
  /** What they may sort by, beside the same. */
  readonly sortable: readonly string[];
  rows(view: View): readonly Json[];
}

interface Own {
  readonly answered?: string;
  readonly isNameList?: boolean;
  readonly hasChanges?: boolean;
  readonly filterable?: readonly string[];
  readonly sortable?: readonly string[];
}

const rowsOfVersion = new WeakMap<Kept, { readonly at: string; readonly row: Json }>();

/** Each is made anew only when it or anything else of the company's lists has changed. */
function kept<Object extends Kept>(toWire: (object: Object, view: View) => Json) {
  return (object: Object, view: View): Json => {
    const at = `${object.version} ${object.updatedAt.getTime()} ${view.company.time} ${view.fileOrigin}`;
    const known = rowsOfVersion.get(object);
    if (known?.at === at) return known.row;
    const row = toWire(object, view);
    rowsOfVersion.set(object, { at, row });
    return row;
  };
}

function entity<Object extends Kept>(
  name: EntityName,
  toWire: (object: Object, view: View) => Json,
  { answered = name, isNameList = false, hasChanges = true, filterable = [], sortable = [] }: Own,
): Entity {
  const toRow = kept(toWire);
  return {
    name,
    answered,
    isNameList,
    hasChanges,
    filterable,
    sortable,
    rows: (view) => {
      const shelf: readonly Kept[] = view.company.shelves[name];
      return shelf.map((object) => toRow(object as Object, view));
    },
  };
}

const only = (name: string, toWire: (company: QuickbooksCompany) => Json): Entity => ({
  name,
  answered: name,
  isNameList: false,
  hasChanges: true,
  filterable: ['CompanyName'],
  sortable: [],
  rows: ({ company }) => [toWire(company)],
});

const NAMED = ['Name', 'Active'];
const PERSON = ['DisplayName', 'Active', 'GivenName', 'MiddleName', 'FamilyName', 'PrintOnCheckName'];
const DATED = ['TxnDate', 'DocNumber'];
const list = { isNameList: true, sortable: ['Name'] };

const SALE: Own = {
  filterable: [...DATED, 'CustomerRef', 'DueDate', 'Balance', 'TotalAmt', 'SalesTermRef'],
  sortable: [...DATED, 'DueDate', 'Balance', 'TotalAmt'],
};
const PURCHASE: Own = {
  filterable: [...DATED, 'VendorRef', 'DueDate', 'Balance', 'TotalAmt', 'APAccountRef', 'POStatus'],
  sortable: [...DATED, 'VendorRef', 'DueDate', 'TotalAmt', 'APAccountRef'],
};

const ALL: readonly Entity[] = [
  only('CompanyInfo', companyInfoToWire),
  only('Preferences', preferencesToWire),
  entity('CompanyCurrency', currencyToWire, {
    ...list,
    filterable: [...NAMED, 'Code'],
    sortable: ['Name', 'Code'],
  }),
  entity('Account', accountToWire, {
    ...list,
    filterable: [
      ...NAMED,
      'AccountType',
      'AccountSubType',
      'Classification',
      'AcctNum',
      'SubAccount',
      'ParentRef',
      'FullyQualifiedName',
      'CurrentBalance',
      'Description',
    ],
    sortable: ['Name', 'AccountType', 'AccountSubType', 'AcctNum', 'FullyQualifiedName', 'CurrentBalance'],
  }),
  entity('Class', dimensionToWire, {
    ...list,
    filterable: [...NAMED, 'FullyQualifiedName', 'SubClass', 'ParentRef'],
  }),
  entity('Department', dimensionToWire, {
    ...list,
    filterable: [...NAMED, 'FullyQualifiedName', 'ParentRef'],
  }),
  entity('TaxAgency', taxAgencyToWire, { hasChanges: false, filterable: ['DisplayName'] }),
  entity('TaxRate', taxRateToWire, {
    ...list,
    hasChanges: false,
    filterable: [...NAMED, 'AgencyRef', 'Description'],
  }),
  entity('TaxCode', taxCodeToWire, { ...list, hasChanges: false, filterable: [...NAMED, 'Description'] }),
  entity('Item', itemToWire, {
    ...list,
    filterable: [...NAMED, 'Type', 'Sku', 'Taxable', 'FullyQualifiedName', 'SubItem', 'ParentRef'],
    sortable: ['Name', 'Type', 'Sku', 'UnitPrice', 'PurchaseCost'],
  }),
  entity('Customer', contactToWire, {
    isNameList: true,
    filterable: [...PERSON, 'CompanyName', 'Job', 'Balance', 'FullyQualifiedName', 'PrimaryEmailAddr'],
    sortable: ['DisplayName', 'GivenName', 'FamilyName', 'CompanyName', 'Balance'],
  }),
  entity('Vendor', contactToWire, {
    isNameList: true,
    filterable: [...PERSON, 'CompanyName', 'Balance', 'Vendor1099'],
    sortable: ['DisplayName', 'GivenName', 'FamilyName', 'CompanyName', 'Balance'],
  }),
  entity('Employee', contactToWire, { isNameList: true, filterable: PERSON, sortable: ['DisplayName'] }),
  entity('Invoice', saleToWire, SALE),
  entity('SalesReceipt', saleToWire, SALE),
  entity('CreditMemo', saleToWire, SALE),
  entity('RefundReceipt', saleToWire, SALE),
  entity('Bill', billToWire, PURCHASE),
  entity('VendorCredit', vendorCreditToWire, PURCHASE),
  entity('PurchaseOrder', orderToWire, PURCHASE),
  entity('Purchase', purchaseToWire, {
    filterable: [...DATED, 'PaymentType', 'AccountRef', 'EntityRef', 'TotalAmt'],
    sortable: [...DATED, 'TotalAmt'],
  }),
  entity('PaymentMethod', paymentMethodToWire, { ...list, filterable: [...NAMED, 'Type'] }),
  entity('Payment', paymentToWire, {
    filterable: ['TxnDate', 'TotalAmt', 'CustomerRef', 'PaymentMethodRef', 'PaymentRefNum'],
    sortable: ['TxnDate', 'TotalAmt'],
  }),
  entity('BillPayment', billPaymentToWire, {
    filterable: [...DATED, 'VendorRef', 'TotalAmt', 'APAccountRef'],
    sortable: [...DATED, 'VendorRef', 'TotalAmt'],
  }),
  entity('Deposit', depositToWire, { filterable: [...DATED, 'DepositToAccountRef'], sortable: DATED }),
  entity('Transfer', transferToWire, { filterable: ['TxnDate'], sortable: ['TxnDate'] }),
  entity('CreditCardPayment', cardPaymentToWire, {
    answered: 'CreditCardPaymentTxn',
    filterable: ['TxnDate', 'VendorRef'],
    sortable: ['TxnDate'],
  }),
  entity('JournalEntry', journalToWire, { filterable: DATED, sortable: DATED }),
  entity(
    'Attachable',
    (object: Parameters<typeof attachableToWire>[0], { company, fileOrigin }) =>
      attachableToWire(object, company.realmId, fileOrigin),
    {
      filterable: [
        'FileName',
        'Note',
        'Category',
        'ContentType',
        'Size',
        'AttachableRef.EntityRef.Type',
        'AttachableRef.EntityRef.value',
      ],
      sortable: ['FileName', 'Note', 'Category', 'ContentType', 'Size'],
    },
  ),
];

const BY_NAME = new Map(ALL.map((one) => [one.name.toLowerCase(), one]));

/** Names of entities are read in any case. */
export const entityNamed = (name: string): Entity | null => BY_NAME.get(name.toLowerCase()) ?? null;
