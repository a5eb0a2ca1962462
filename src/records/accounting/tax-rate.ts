import type { TaxRateModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, text, timestamp } from '../fields.js';
import { lines } from '../relations.js';

/** Reference G4, tax rates. */
export const taxRate = defineRecord<TaxRateModel>()({
  model: 'TaxRate',
  table: 'tax_rates',
  list: 'taxRates',
  path: 'accounting/tax_rates',
  dataModel: 'TAX_RATES',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    code: text('code'),
    taxType: text('tax_type'),
    effectiveTaxRate: decimalNumber('effective_tax_rate'),
    totalTaxRate: decimalNumber('total_tax_rate'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    components: lines('components', 'TaxRateComponent'),
  },
  rest: { always: { components: '[]' } },
});
