import { describe, expect, test } from '@jest/globals';

import { toCurrency } from '../../../src/connectors/xero/mappers/currency.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

describe('a Xero currency', () => {
  test('has its code for an id', () => {
    expect(toCurrency({ Code: 'NZD', Description: 'New Zealand Dollar' }, lookups)).toEqual({
      platformId: 'NZD',
      unresolved: false,
      values: { code: 'NZD', name: 'New Zealand Dollar', symbol: null, isBaseCurrency: true },
    });
  });

  test('is the base currency or not, and neither while that is unknown', () => {
    expect(toCurrency({ Code: 'USD' }, lookups).values.isBaseCurrency).toBe(false);
    expect(toCurrency({ Code: 'NZD' }, nothingKnown).values.isBaseCurrency).toBeNull();
  });

  test.each(oddValues)('does without a readable name (%p)', (value) => {
    const name = typeof value === 'string' ? value : null;
    expect(toCurrency({ Code: 'NZD', Description: value }, lookups).values.name).toBe(name);
  });

  test('cannot do without its code', () => {
    expect(() => toCurrency({ Description: 'New Zealand Dollar' }, lookups)).toThrow(
      expect.objectContaining({ code: 'platform-answer', message: 'Xero sent a record without Code' }),
    );
  });
});
