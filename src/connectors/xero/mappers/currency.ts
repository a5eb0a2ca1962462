import { type currency } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { platformIdOf } from './platform-id.js';

/** A currency of the organisation. Xero has no other id for it than its code, by which documents refer to it too. */
export function toCurrency(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof currency> {
  const code = platformIdOf(object, 'Code');
  return {
    platformId: code,
    unresolved: lookups.baseCurrency === null,
    values: {
      code,
      name: textOf(object['Description']),
      symbol: null,
      isBaseCurrency: lookups.baseCurrency === null ? null : lookups.baseCurrency === code,
    },
  };
}
