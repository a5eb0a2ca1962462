import { type item } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { changedAt } from '../times.js';
import { activityOf, platformIdOf } from './values.js';

const BOUGHT: readonly unknown[] = ['purchases', 'sales_and_purchases', 'inventory'];
const SOLD: readonly unknown[] = ['sales', 'sales_and_purchases', 'inventory'];

/** A product or service. */
export function toItem(object: PlatformObject): UnifiedRecord<typeof item> {
  const type = object['item_type'];
  const isBillItem = BOUGHT.includes(type);
  const isInvoiceItem = SOLD.includes(type) || type === undefined;
  const description = textOf(object['description']);
  return {
    platformId: platformIdOf(object, 'item_id'),
    values: {
      name: textOf(object['name']),
      description,
      code: textOf(object['sku']),
      status: activityOf(object),
      type: typeOf(object),
      quantityOnHand: decimalOf(object['stock_on_hand']),
      isBillItem,
      isInvoiceItem,
      ...(isBillItem && {
        billItemAccountId: textOf(object['purchase_account_id']),
        billItemTaxId: textOf(object['purchase_tax_id']),
        billItemUnitPrice: decimalOf(object['purchase_rate']),
        billItemDescription: textOf(object['purchase_description']),
      }),
      ...(isInvoiceItem && {
        invoiceItemAccountId: textOf(object['account_id']),
        invoiceItemTaxId: textOf(object['tax_id']),
        invoiceItemUnitPrice: decimalOf(object['rate']),
        invoiceItemDescription: description,
      }),
      updatedAt: changedAt(object),
    },
  };
}

function typeOf(object: PlatformObject) {
  if (object['item_type'] === 'inventory') return 'INVENTORY';
  switch (object['product_type']) {
    case 'goods':
      return 'NON_INVENTORY';
    case 'service':
    case 'digital_service':
      return 'SERVICE';
    default:
      return 'UNKNOWN';
  }
}
