import { type item } from '../../../../records/index.js';
import { type ITEM_TYPES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { decimalOf, objectOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { amountOf } from './amount.js';
import { type Codes, codesFrom } from './codes.js';
import { guidOf } from './guid.js';
import { recordStatus } from './words.js';

const TYPES: ReadonlyMap<unknown, (typeof ITEM_TYPES)[number]> = new Map([
  ['stocked', 'INVENTORY'],
  ['non-stocked', 'NON_INVENTORY'],
  ['service', 'SERVICE'],
]);

/** A product or service that is bought, sold or both. */
export function toItem(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof item> {
  const codes = codesFrom(lookups);
  const buying = objectOf(object['Buying']);
  const selling = objectOf(object['Selling']);
  const bought = termsOf(buying, codes);
  const sold = termsOf(selling, codes);
  return {
    platformId: guidOf(object),
    unresolved: codes.unresolved(),
    values: {
      name: textOf(object['Title']),
      description: textOf(object['Notes']),
      code: textOf(object['Sku']),
      status: recordStatus(object['State']),
      type: TYPES.get(object['Nature']) ?? 'UNKNOWN',
      quantityOnHand: decimalOf(object['OnHand']),
      isBillItem: buying !== null,
      isInvoiceItem: selling !== null,
      billItemAccountId: bought.accountId,
      billItemTaxId: bought.taxId,
      billItemUnitPrice: bought.unitPrice,
      billItemDescription: bought.description,
      invoiceItemAccountId: sold.accountId,
      invoiceItemTaxId: sold.taxId,
      invoiceItemUnitPrice: sold.unitPrice,
      invoiceItemDescription: sold.description,
      updatedAt: instantOf(object['ChangedOn']),
    },
  };
}

function termsOf(terms: PlatformObject | null, codes: Codes) {
  return {
    accountId: codes.account(terms?.['AccountNumber']),
    taxId: codes.tax(terms?.['TaxCode']),
    unitPrice: amountOf(terms?.['Price']),
    description: textOf(terms?.['Text']),
  };
}
