import { type taxRate, type taxRateComponent } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { booleanOf, decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { platformIdOf } from './platform-id.js';

/** A tax rate. Xero has no other id for it than its type, by which lines refer to it too. */
export function toTaxRate(object: PlatformObject): UnifiedRecord<typeof taxRate> {
  const type = platformIdOf(object, 'TaxType');
  return {
    platformId: type,
    deleted: object['Status'] === 'DELETED',
    values: {
      name: textOf(object['Name']),
      code: type,
      taxType: textOf(object['ReportTaxType']),
      effectiveTaxRate: decimalOf(object['EffectiveRate']),
      totalTaxRate: decimalOf(object['DisplayTaxRate']),
    },
    lines: { components: objectsIn(object['TaxComponents']).map(toComponent) },
  };
}

function toComponent(object: PlatformObject): UnifiedLine<typeof taxRateComponent> {
  return {
    platformId: null,
    values: {
      name: textOf(object['Name']),
      rate: decimalOf(object['Rate']),
      taxAgency: null,
      isCompound: booleanOf(object['IsCompound']),
    },
  };
}
