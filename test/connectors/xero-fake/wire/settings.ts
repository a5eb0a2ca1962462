import {
  type Account,
  type Company,
  type Currency,
  type Item,
  type ItemPrice,
  type TaxRate,
  type TrackingCategory,
  type TrackingOption,
} from '../domain.js';
import { instant, number, optional } from './values.js';

export const currencyToWire = ({ id, name }: Currency): object => ({ Code: id, Description: name });

export const companyToWire = (company: Company): object => ({
  OrganisationID: company.id,
  Name: company.name,
  LegalName: company.legalName,
  TaxNumber: company.taxNumber,
  RegistrationNumber: company.registrationNumber,
  FinancialYearEndDay: company.yearEnd.day,
  FinancialYearEndMonth: company.yearEnd.month,
  CreatedDateUTC: instant(company.openedAt),
});

export function taxRateToWire(rate: TaxRate): object {
  return {
    Name: rate.name,
    TaxType: rate.id,
    ReportTaxType: rate.reportType,
    CanApplyToAssets: true,
    CanApplyToEquity: true,
    CanApplyToExpenses: rate.reportType !== 'OUTPUT',
    CanApplyToLiabilities: true,
    CanApplyToRevenue: rate.reportType !== 'INPUT',
    DisplayTaxRate: Number(rate.rate),
    EffectiveRate: Number(rate.effectiveRate),
    Status: rate.status,
    TaxComponents: rate.components.map((component) => ({
      Name: component.name,
      Rate: Number(component.rate),
      IsCompound: component.isCompound,
      IsNonRecoverable: false,
    })),
  };
}

export function accountToWire(account: Account): object {
  const isBank = account.type === 'BANK';
  return {
    AccountID: account.id,
    ...optional('Code', account.code),
    Name: account.name,
    Status: account.status,
    Type: account.type,
    TaxType: 'NONE',
    Class: account.accountClass,
    ...optional('Description', account.description),
    EnablePaymentsToAccount: isBank,
    ShowInExpenseClaims: false,
    ...(isBank
      ? {
          BankAccountNumber: account.bank?.number ?? '0209087654321050',
          BankAccountType: account.bank?.type ?? 'BANK',
        }
      : {}),
    ...optional('CurrencyCode', account.currency?.id ?? null),
    ReportingCode: '',
    HasAttachments: false,
    UpdatedDateUTC: instant(account.updatedAt),
    AddToWatchlist: false,
  };
}

export function trackingCategoryToWire(category: TrackingCategory, withArchived: boolean): object {
  return {
    Name: category.name,
    Status: category.status,
    TrackingCategoryID: category.id,
    Options: category.options
      .filter(({ status }) => withArchived || status !== 'ARCHIVED')
      .map(trackingOptionToWire),
  };
}

export const trackingOptionToWire = (option: TrackingOption): object => ({
  TrackingOptionID: option.id,
  Name: option.name,
  Status: option.status,
  HasValidationErrors: false,
  IsDeleted: false,
  IsArchived: option.status === 'ARCHIVED',
  IsActive: option.status === 'ACTIVE',
});

/** `priceDigits` is what the call asks for as `unitdp`. */
export function itemToWire(item: Item, priceDigits: number): object {
  const details = (price: ItemPrice | null, accountName: string) =>
    price && {
      ...optional('UnitPrice', price.unitPrice && number(price.unitPrice.toDecimalPlaces(priceDigits))),
      ...optional(accountName, price.account?.code ?? null),
      ...optional('TaxType', price.taxRate?.id ?? null),
    };
  const isTracked = item.inStock !== null;
  return {
    ItemID: item.id,
    Code: item.code,
    Name: item.name,
    ...optional('Description', item.description),
    ...optional('PurchaseDescription', item.purchaseDescription),
    UpdatedDateUTC: instant(item.updatedAt),
    PurchaseDetails: details(item.purchase, isTracked ? 'COGSAccountCode' : 'AccountCode') ?? {},
    SalesDetails: details(item.sale, 'AccountCode') ?? {},
    IsTrackedAsInventory: isTracked,
    ...(isTracked
      ? { InventoryAssetAccountCode: '630', TotalCostPool: 0, QuantityOnHand: item.inStock }
      : {}),
    IsSold: item.sale !== null,
    IsPurchased: item.purchase !== null,
  };
}
