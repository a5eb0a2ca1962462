import { Decimal } from 'decimal.js';

import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type QuickbooksCompany } from '../company.js';
import {
  type Account,
  type CompanyInfo,
  type Currency,
  type Dimension,
  type Item,
  type TaxCode,
} from '../domain.js';
import { kindId } from '../models.js';

export const statusOf = ({ active }: { readonly active: boolean }): string =>
  active ? 'ACTIVE' : 'ARCHIVED';

export function expectedCompany(info: CompanyInfo, { home }: QuickbooksCompany): UnifiedRecord {
  const created = info.createdAt.toISOString().slice(0, 10);
  const startIn = (year: number) => `${year}-${String(info.firstMonth).padStart(2, '0')}-01`;
  const year = Number(created.slice(0, 4));
  return {
    platformId: info.id,
    values: {
      name: info.name,
      legalName: info.legalName,
      taxNumber: info.employerId,
      baseCurrency: home.code,
      fiscalStartAt: startIn(year) <= created ? startIn(year) : startIn(year - 1),
      orgCreatedAt: info.createdAt.toISOString(),
      updatedAt: info.updatedAt.toISOString(),
    },
  };
}

export const expectedCurrency = (currency: Currency): UnifiedRecord => ({
  platformId: currency.code,
  values: {
    code: currency.code,
    name: currency.name,
    isBaseCurrency: currency.isHome,
    updatedAt: currency.isHome ? null : currency.updatedAt.toISOString(),
  },
});

export function expectedTaxRate(code: TaxCode): UnifiedRecord {
  const parts = code.sales.length > 0 ? code.sales : code.purchases;
  const rates = parts.map(({ rate }) => rate.rate);
  const plain = rates.reduce((sum, rate) => sum.plus(rate), new Decimal(0));
  const effective = parts.reduce((sum, { rate, applies }) => {
    const on = applies === 'TaxOnAmount' ? new Decimal(100) : sum.plus(100);
    return sum.plus(on.times(rate.rate).dividedBy(100));
  }, new Decimal(0));
  return {
    platformId: code.id,
    values: {
      name: code.name,
      code: code.name,
      totalTaxRate: parts.length > 0 ? plain.toFixed() : null,
      effectiveTaxRate: parts.length > 0 ? effective.toFixed() : null,
      updatedAt: code.updatedAt.toISOString(),
    },
    lines: {
      components: parts.map(({ rate, applies }) => ({
        platformId: null,
        values: {
          name: rate.name,
          rate: rate.rate.toFixed(),
          taxAgency: rate.agency.name,
          isCompound: applies !== 'TaxOnAmount',
        },
      })),
    },
  };
}

export const expectedAccount = (account: Account): UnifiedRecord => ({
  platformId: account.id,
  values: {
    name: account.name,
    description: account.description,
    nominalCode: account.number,
    category: categoryOf(account),
    subCategory: account.subType,
    status: statusOf(account),
    currentBalance: account.balance.toFixed(),
    currencyId: account.currency.code,
    currencyCode: account.currency.code,
    parentAccountId: account.parent?.id,
    updatedAt: account.updatedAt.toISOString(),
  },
});

function categoryOf({ type, classification }: Account): string {
  if (type === 'Bank') return 'BANK';
  return classification === 'Revenue' ? 'INCOME' : classification.toUpperCase();
}

export const expectedBankAccount = (account: Account): UnifiedRecord => ({
  platformId: account.id,
  values: {
    accountName: account.name,
    balance: account.balance.toFixed(),
    category: account.subType,
    currencyId: account.currency.code,
    currencyCode: account.currency.code,
    updatedAt: account.updatedAt.toISOString(),
  },
});

export const expectedDimension = (dimension: Dimension): UnifiedRecord => ({
  platformId: kindId(dimension),
  values: {
    name: dimension.name,
    status: statusOf(dimension),
    parentId: dimension.parent && kindId(dimension.parent),
    updatedAt: dimension.updatedAt.toISOString(),
  },
});

const ITEM_TYPES: Readonly<Record<string, string>> = {
  Inventory: 'INVENTORY',
  NonInventory: 'NON_INVENTORY',
  Service: 'SERVICE',
};

export function expectedItem(item: Item): UnifiedRecord {
  const sale = item.income && {
    invoiceItemAccountId: item.income.id,
    invoiceItemTaxId: item.salesTax?.id,
    invoiceItemUnitPrice: (item.unitPrice ?? new Decimal(0)).toFixed(),
    invoiceItemDescription: item.description,
  };
  const purchase = item.expense && {
    billItemAccountId: item.expense.id,
    billItemTaxId: item.purchaseTax?.id,
    billItemUnitPrice: (item.purchaseCost ?? new Decimal(0)).toFixed(),
    billItemDescription: item.purchaseDescription,
  };
  return {
    platformId: item.id,
    values: {
      name: item.name,
      description: item.description,
      code: item.sku,
      status: statusOf(item),
      type: ITEM_TYPES[item.type] ?? 'UNKNOWN',
      quantityOnHand: item.inStock?.toFixed(),
      isInvoiceItem: sale !== null,
      isBillItem: purchase !== null,
      ...sale,
      ...purchase,
      updatedAt: item.updatedAt.toISOString(),
    },
  };
}
