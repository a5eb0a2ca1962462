import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import {
  type Account,
  type Company,
  type Currency,
  type Item,
  type ItemPrice,
  type Organisation,
  type TaxRate,
  type TrackingCategory,
  type TrackingOption,
} from '../domain.js';

/** Which one is the base currency is not told by the list. */
export const expectedCurrency = ({ id, name, worth }: Currency): UnifiedRecord => ({
  platformId: id,
  values: { code: id, name, isBaseCurrency: worth === '1' },
});

export const expectedTaxRate = (rate: TaxRate): UnifiedRecord => ({
  platformId: rate.id,
  values: {
    name: rate.name,
    code: rate.id,
    taxType: rate.reportType,
    totalTaxRate: rate.rate,
    effectiveTaxRate: rate.effectiveRate,
  },
  lines: { components: rate.components.map((values) => ({ platformId: null, values })) },
});

export const expectedAccount = (account: Account): UnifiedRecord => ({
  platformId: account.id,
  values: {
    name: account.name,
    description: account.description,
    nominalCode: account.code,
    category: categoryOf(account),
    subCategory: account.type,
    status: account.status,
    currencyId: account.currency?.id,
    currencyCode: account.currency?.id,
    updatedAt: account.updatedAt.toISOString(),
  },
});

export const expectedBankAccount = (account: Account): UnifiedRecord => ({
  platformId: account.id,
  values: {
    accountName: account.name,
    accountNumber: '0209087654321050',
    currencyId: account.currency?.id,
    currencyCode: account.currency?.id,
    category: 'BANK',
    updatedAt: account.updatedAt.toISOString(),
  },
});

export const expectedCompany = (company: Company, { currencies }: Organisation): UnifiedRecord[] => [
  {
    platformId: company.id,
    values: {
      name: company.name,
      legalName: company.legalName,
      taxNumber: company.taxNumber,
      registrationNumber: company.registrationNumber,
      baseCurrency: currencies.find(({ worth }) => worth === '1')?.id,
      fiscalStartAt: company.yearStart,
      orgCreatedAt: company.openedAt.toISOString(),
    },
  },
];

function categoryOf({ type, accountClass }: Account): string {
  if (type === 'BANK') return 'BANK';
  return accountClass === 'REVENUE' ? 'INCOME' : accountClass;
}

/** A category or an option: options are below their category. */
export function expectedOptions(
  object: TrackingCategory | TrackingOption,
  { trackingCategories }: Organisation,
): UnifiedRecord[] {
  const parent = trackingCategories.find(({ options }) => options.some((option) => option.id === object.id));
  const hasChildren = 'options' in object && object.options.length > 0;
  const { id, name, status } = object;
  return [{ platformId: id, values: { name, status, parentId: parent?.id, hasChildren } }];
}

export const expectedItem = (item: Item): UnifiedRecord => ({
  platformId: item.id,
  values: {
    name: item.name,
    code: item.code,
    description: item.description,
    status: 'ACTIVE',
    type: item.inStock === null ? 'UNKNOWN' : 'INVENTORY',
    quantityOnHand: item.inStock,
    isInvoiceItem: item.sale !== null,
    isBillItem: item.purchase !== null,
    invoiceItemDescription: item.description,
    billItemDescription: item.purchaseDescription,
    ...expectedPrice('invoice', item.sale),
    ...expectedPrice('bill', item.purchase),
    updatedAt: item.updatedAt.toISOString(),
  },
});

function expectedPrice(side: 'invoice' | 'bill', price: ItemPrice | null): object {
  return {
    [`${side}ItemUnitPrice`]: price?.unitPrice?.toFixed(),
    [`${side}ItemAccountId`]: price?.account?.id,
    [`${side}ItemTaxId`]: price?.taxRate?.id,
  };
}
