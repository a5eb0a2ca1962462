import { describe, expect, test } from '@jest/globals';

import { toTaxRate } from '../../../src/connectors/xero/mappers/tax-rate.js';
import { oddValues } from './lookups.js';

const sales = {
  Name: 'Sales tax',
  TaxType: 'TAX001',
  ReportTaxType: 'OUTPUT',
  DisplayTaxRate: 8.25,
  EffectiveRate: 8.4375,
  Status: 'ACTIVE',
  TaxComponents: [
    { Name: 'State', Rate: '7.5000', IsCompound: false },
    null,
    { Name: 'City', Rate: 0.75, IsCompound: true },
  ],
};

describe('a Xero tax rate', () => {
  test('is read field by field', () => {
    expect(toTaxRate(sales)).toEqual({
      platformId: 'TAX001',
      deleted: false,
      values: {
        name: 'Sales tax',
        code: 'TAX001',
        taxType: 'OUTPUT',
        effectiveTaxRate: '8.4375',
        totalTaxRate: '8.25',
      },
      lines: {
        components: [
          { platformId: null, values: { name: 'State', rate: '7.5000', taxAgency: null, isCompound: false } },
          { platformId: null, values: { name: 'City', rate: '0.75', taxAgency: null, isCompound: true } },
        ],
      },
    });
  });

  test.each([
    ['DELETED', true],
    ['ARCHIVED', false],
    [undefined, false],
  ])('in the state %s is deleted: %p', (Status, deleted) => {
    expect(toTaxRate({ ...sales, Status }).deleted).toBe(deleted);
  });

  test.each(oddValues)('survives %p in every field but its type', (value) => {
    const odd = Object.fromEntries(Object.keys(sales).map((name) => [name, value]));
    expect(toTaxRate({ ...odd, TaxType: 'TAX001' }).platformId).toBe('TAX001');
  });

  test('cannot do without its type', () => {
    expect(() => toTaxRate({ Name: 'Sales tax' })).toThrow('Xero sent a record without TaxType');
  });
});
