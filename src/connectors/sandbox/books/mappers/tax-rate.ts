import { type taxRate } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { booleanOf, decimalOf, objectsIn, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { guidOf } from './guid.js';
import { wordOf } from './words.js';

/** A tax rate. `EffectivePercentage` includes components that are charged on other components. */
export function toTaxRate(object: PlatformObject): UnifiedRecord<typeof taxRate> {
  return {
    platformId: guidOf(object),
    values: {
      name: textOf(object['Title']),
      code: textOf(object['Code']),
      taxType: taxTypeOf(object['AppliesTo']),
      effectiveTaxRate: decimalOf(object['EffectivePercentage']),
      totalTaxRate: decimalOf(object['Percentage']),
      updatedAt: instantOf(object['ChangedOn']),
    },
    lines: {
      components: objectsIn(object['Parts']).map((part) => ({
        platformId: textOf(part['PartGuid']),
        values: {
          name: textOf(part['Title']),
          rate: decimalOf(part['Percentage']),
          taxAgency: textOf(part['Authority']),
          isCompound: booleanOf(part['Compound']),
        },
      })),
    },
  };
}

function taxTypeOf(side: unknown): string | null {
  return side === 'purchases' ? 'PURCHASE' : wordOf(side);
}
