import type { TaxRateComponentModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { boolean, decimalNumber, text } from '../fields.js';

/** Reference G3, tax rate component. */
export const taxRateComponent = defineLine<TaxRateComponentModel>()({
  model: 'TaxRateComponent',
  table: 'tax_rate_components',
  list: 'taxRateComponents',
  path: 'accounting/tax_rate_components',
  dataModel: 'TAX_RATES',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    rate: decimalNumber('rate'),
    taxAgency: text('tax_agency'),
    isCompound: boolean('is_compound'),
  },
});
