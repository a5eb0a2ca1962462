import { type QuickbooksCompany } from '../company.js';
import {
  type Account,
  type Currency,
  type Dimension,
  type Named,
  type TaxCode,
  type TaxPart,
  type TaxRate,
} from '../domain.js';
import { address, base, currencyRef, type Json, number, optional, optionalRef, ref, time } from './values.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export function companyInfoToWire({ info, edition }: QuickbooksCompany): Json {
  return {
    CompanyName: info.name,
    LegalName: info.legalName,
    ...address('CompanyAddr', info.address),
    ...address('CustomerCommunicationAddr', info.address),
    ...address('LegalAddr', info.address),
    PrimaryPhone: { FreeFormNumber: '(650)944-4444' },
    CompanyStartDate: '2015-06-05',
    EmployerId: info.employerId,
    FiscalYearStartMonth: MONTHS[info.firstMonth - 1],
    Country: edition,
    Email: { Address: 'donotreply@intuit.com' },
    WebAddr: {},
    SupportedLanguages: 'en',
    NameValue: [
      { Name: 'NeoEnabled', Value: 'true' },
      { Name: 'OfferingSku', Value: 'QuickBooks Online Plus' },
    ],
    ...base(info),
  };
}

export const preferencesToWire = ({ info, home }: QuickbooksCompany): Json => ({
  AccountingInfoPrefs: {
    UseAccountNumbers: true,
    TrackDepartments: true,
    ClassTrackingPerTxn: false,
    ClassTrackingPerTxnLine: true,
    FirstMonthOfFiscalYear: MONTHS[info.firstMonth - 1],
    TaxYearMonth: 'January',
    DepartmentTerminology: 'Location',
    CustomerTerminology: 'Customers',
  },
  ProductAndServicesPrefs: {
    ForSales: true,
    ForPurchase: true,
    QuantityWithPriceAndRate: true,
    QuantityOnHand: true,
  },
  SalesFormsPrefs: { AllowDeposit: true, AllowDiscount: true, CustomTxnNumbers: false },
  TaxPrefs: { UsingSalesTax: true, PartnerTaxEnabled: false },
  CurrencyPrefs: { MultiCurrencyEnabled: true, HomeCurrency: ref(home.code) },
  ...base({ ...info, version: 0, updatedAt: info.createdAt }),
});

export const currencyToWire = (currency: Currency): Json => ({
  Code: currency.code,
  Name: currency.name,
  Active: currency.active,
  ...base(currency),
});

export function accountToWire(account: Account): Json {
  const { parent } = account;
  return {
    Name: account.name,
    SubAccount: parent !== null,
    ...optional('ParentRef', parent && ref(parent.id)),
    FullyQualifiedName: qualified(account),
    ...optional('Description', account.description),
    Active: account.active,
    Classification: account.classification,
    AccountType: account.type,
    AccountSubType: account.subType,
    ...optional('AcctNum', account.number),
    CurrentBalance: number(account.balance),
    CurrentBalanceWithSubAccounts: number(account.balance),
    ...currencyRef(account.currency),
    ...base(account),
  };
}

interface Nested {
  readonly name: string;
  readonly parent: Nested | null;
}

export const qualified = ({ name, parent }: Nested): string =>
  parent ? `${qualified(parent)}:${name}` : name;

export const dimensionToWire = (dimension: Dimension): Json => ({
  Name: dimension.name,
  [dimension.kind === 'Class' ? 'SubClass' : 'SubDepartment']: dimension.parent !== null,
  ...optionalRef('ParentRef', dimension.parent),
  FullyQualifiedName: qualified(dimension),
  Active: dimension.active,
  ...base(dimension),
});

export const taxRateToWire = (rate: TaxRate): Json => ({
  Name: rate.name,
  Description: 'Sales Tax',
  Active: rate.active,
  RateValue: number(rate.rate),
  AgencyRef: ref(rate.agency.id),
  SpecialTaxType: 'NONE',
  DisplayType: 'ReadOnly',
  ...base(rate),
});

export const taxAgencyToWire = (agency: Named): Json => ({
  DisplayName: agency.name,
  TaxTrackedOnSales: true,
  TaxTrackedOnPurchases: false,
  ...base(agency),
});

export function taxCodeToWire(code: TaxCode): Json {
  const named = { Name: code.name, Description: code.description, Taxable: code.taxable };
  if (code.isPseudo) {
    const { createdAt, updatedAt } = code;
    const MetaData = { CreateTime: time(createdAt), LastUpdatedTime: time(updatedAt) };
    return { ...named, TaxGroup: false, Id: code.id, MetaData };
  }
  return {
    ...named,
    Active: code.active,
    TaxGroup: true,
    Hidden: false,
    SalesTaxRateList: { TaxRateDetail: code.sales.map(taxPart) },
    PurchaseTaxRateList: { TaxRateDetail: code.purchases.map(taxPart) },
    ...base(code),
  };
}

const taxPart = ({ rate, applies }: TaxPart, index: number): Json => ({
  TaxRateRef: ref(rate.id, rate.name),
  TaxTypeApplicable: applies,
  TaxOrder: index,
  ...(applies === 'TaxOnAmount' ? {} : { TaxOnTaxOrder: index - 1 }),
});
