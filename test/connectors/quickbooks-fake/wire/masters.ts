import { type Contact, type Item } from '../domain.js';
import { address, base, currencyRef, type Json, number, optional, optionalRef, ref } from './values.js';
import { qualified } from './settings.js';

const phone = (name: string, text: string | null): Json => optional(name, text && { FreeFormNumber: text });

export function contactToWire(contact: Contact): Json {
  const shared = {
    ...address(contact.kind === 'Employee' ? 'PrimaryAddr' : 'BillAddr', contact.billing),
    ...optional('GivenName', contact.given),
    ...optional('MiddleName', contact.middle),
    ...optional('FamilyName', contact.family),
    ...optional('CompanyName', contact.company),
    DisplayName: contact.name,
    PrintOnCheckName: contact.company ?? contact.name,
    Active: contact.active,
    ...phone('PrimaryPhone', contact.phone),
    ...phone('AlternatePhone', contact.alternatePhone),
    ...phone('Mobile', contact.mobile),
    ...phone('Fax', contact.fax),
    ...optional('PrimaryEmailAddr', contact.email && { Address: contact.email }),
    ...optional('WebAddr', contact.website && { URI: contact.website }),
    ...base(contact),
  };
  if (contact.kind === 'Employee') return { BillableTime: false, ...shared };
  if (contact.kind === 'Vendor') {
    return {
      ...shared,
      ...optional('TaxIdentifier', contact.taxNumber),
      Balance: 0,
      Vendor1099: false,
      ...currencyRef(contact.currency),
    };
  }
  return {
    ...shared,
    Taxable: true,
    ...address('ShipAddr', contact.shipping),
    ...optional('PrimaryTaxIdentifier', contact.taxNumber),
    Job: contact.parent !== null,
    BillWithParent: false,
    ...optional('ParentRef', contact.parent && ref(contact.parent.id)),
    ...(contact.parent ? { Level: 1 } : {}),
    FullyQualifiedName: qualified(contact),
    Balance: 0,
    BalanceWithJobs: 0,
    ...currencyRef(contact.currency),
    PreferredDeliveryMethod: 'None',
    IsProject: false,
  };
}

export function itemToWire(item: Item): Json {
  const { category } = item;
  if (item.type === 'Category') {
    const names = { Name: item.name, FullyQualifiedName: item.name };
    return { ...names, Active: item.active, Type: item.type, ...base(item) };
  }
  return {
    Name: item.name,
    ...optional('Sku', item.sku),
    ...optional('Description', item.description),
    Active: item.active,
    SubItem: category !== null,
    ...optionalRef('ParentRef', category),
    FullyQualifiedName: qualified({
      name: item.name,
      parent: category && { name: category.name, parent: null },
    }),
    Taxable: item.salesTax !== null,
    UnitPrice: item.unitPrice ? number(item.unitPrice) : 0,
    Type: item.type,
    ...optionalRef('IncomeAccountRef', item.income),
    ...optional('PurchaseDesc', item.purchaseDescription),
    PurchaseCost: item.purchaseCost ? number(item.purchaseCost) : 0,
    ...optionalRef('ExpenseAccountRef', item.expense),
    ...optionalRef('AssetAccountRef', item.asset),
    ...optionalRef('SalesTaxCodeRef', item.salesTax),
    ...optionalRef('PurchaseTaxCodeRef', item.purchaseTax),
    TrackQtyOnHand: item.type === 'Inventory',
    ...optional('QtyOnHand', item.inStock && number(item.inStock)),
    ...(item.type === 'Inventory' ? { InvStartDate: '2025-01-01' } : {}),
    ...base(item),
  };
}
