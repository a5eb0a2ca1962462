import { type item } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { booleanOf, decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { timestampOf } from '../dates.js';
import { ACCOUNTS_BY_CODE, idByCode } from './codes.js';
import { platformIdOf } from './platform-id.js';

/** A product or service that is bought, sold or both. Xero has no status for items: existing ones are active. */
export function toItem(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof item> {
  const purchase = detailsOf(object['PurchaseDetails'], lookups);
  const sale = detailsOf(object['SalesDetails'], lookups);
  return {
    platformId: platformIdOf(object, 'ItemID'),
    unresolved: purchase.unresolved || sale.unresolved,
    values: {
      name: textOf(object['Name']),
      description: textOf(object['Description']),
      code: textOf(object['Code']),
      status: 'ACTIVE',
      // Untracked items may be goods or services: Xero does not say.
      type: booleanOf(object['IsTrackedAsInventory']) ? 'INVENTORY' : 'UNKNOWN',
      quantityOnHand: decimalOf(object['QuantityOnHand']),
      isBillItem: booleanOf(object['IsPurchased']),
      isInvoiceItem: booleanOf(object['IsSold']),
      billItemAccountId: purchase.accountId,
      billItemTaxId: purchase.taxId,
      billItemUnitPrice: purchase.unitPrice,
      billItemDescription: textOf(object['PurchaseDescription']),
      invoiceItemAccountId: sale.accountId,
      invoiceItemTaxId: sale.taxId,
      invoiceItemUnitPrice: sale.unitPrice,
      invoiceItemDescription: textOf(object['Description']),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
  };
}

function detailsOf(value: unknown, lookups: Lookups) {
  const details = objectOf(value) ?? {};
  // Purchases of tracked items are booked to the account for cost of goods sold, their only one.
  const accountCode = textOf(details['AccountCode']) ?? textOf(details['COGSAccountCode']);
  const accountId = idByCode(ACCOUNTS_BY_CODE, accountCode, lookups);
  return {
    accountId,
    unresolved: accountCode !== null && accountId === null,
    taxId: textOf(details['TaxType']),
    unitPrice: decimalOf(details['UnitPrice']),
  };
}
