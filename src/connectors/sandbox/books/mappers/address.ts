import { type address } from '../../../../records/index.js';
import { type ADDRESS_TYPES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedLine } from '../../../pull.js';
import { objectsIn, textOf } from '../../../values/platform-values.js';

/** The record that the addresses belong to. */
interface AddressOwner {
  readonly dataModel: 'CONTACTS' | 'SALES_ORDERS' | 'PURCHASE_ORDERS';
  readonly platformId: string;
}

/** The addresses of a partner or an order. */
export function toAddresses(object: PlatformObject, owner: AddressOwner): UnifiedLine<typeof address>[] {
  return objectsIn(object['Addresses']).map((place) => ({
    platformId: null,
    values: {
      dataModel: owner.dataModel,
      dataModelId: owner.platformId,
      type: addressType(place['Use']),
      street: textOf(place['Street']),
      locality: textOf(place['District']),
      city: textOf(place['Town']),
      state: textOf(place['Region']),
      pincode: textOf(place['PostCode']),
      country: textOf(place['Country']),
    },
  }));
}

function addressType(use: unknown): (typeof ADDRESS_TYPES)[number] | null {
  if (use === 'invoice') return 'BILLING';
  return use === 'delivery' ? 'SHIPPING' : null;
}
