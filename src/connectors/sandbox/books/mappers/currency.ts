import { type currency } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { booleanOf, decimalOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { guidOf } from './guid.js';

/** A currency in use; its rate is the number of base units per unit of it. */
export function toCurrency(object: PlatformObject): UnifiedRecord<typeof currency> {
  return {
    platformId: guidOf(object),
    values: {
      code: textOf(object['Code']),
      name: textOf(object['Title']),
      symbol: textOf(object['Sign']),
      isBaseCurrency: booleanOf(object['IsBase']),
      exchangeRate: decimalOf(object['ExchangeRate']),
      updatedAt: instantOf(object['ChangedOn']),
    },
  };
}
