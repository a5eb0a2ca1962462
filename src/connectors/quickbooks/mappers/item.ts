import { type item } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { idOf } from '../query.js';
import { activityOf, refOf, updatedAtOf } from './values.js';

/** A product or service; null for a category of them, which QuickBooks lists as an item, too. */
export function toItem(object: PlatformObject): UnifiedRecord<typeof item> | null {
  const platformId = idOf(object);
  if (object['Type'] === 'Category') return null;
  const [billItemAccountId, invoiceItemAccountId] = [
    refOf(object['ExpenseAccountRef']),
    refOf(object['IncomeAccountRef']),
  ];
  return {
    platformId,
    values: {
      name: textOf(object['Name']),
      description: textOf(object['Description']),
      code: textOf(object['Sku']),
      status: activityOf(object),
      type: typeOf(object['Type']),
      quantityOnHand: decimalOf(object['QtyOnHand']),
      isBillItem: billItemAccountId !== null,
      isInvoiceItem: invoiceItemAccountId !== null,
      ...(billItemAccountId !== null && {
        billItemAccountId,
        billItemTaxId: refOf(object['PurchaseTaxCodeRef']),
        billItemUnitPrice: decimalOf(object['PurchaseCost']),
        billItemDescription: textOf(object['PurchaseDesc']),
      }),
      ...(invoiceItemAccountId !== null && {
        invoiceItemAccountId,
        invoiceItemTaxId: refOf(object['SalesTaxCodeRef']),
        invoiceItemUnitPrice: decimalOf(object['UnitPrice']),
        invoiceItemDescription: textOf(object['Description']),
      }),
      updatedAt: updatedAtOf(object),
    },
  };
}

/** A bundle is of several types. */
function typeOf(word: unknown) {
  switch (word) {
    case 'Inventory':
      return 'INVENTORY';
    case 'NonInventory':
      return 'NON_INVENTORY';
    case 'Service':
      return 'SERVICE';
    default:
      return 'UNKNOWN';
  }
}
