import { describe, expect, test } from '@jest/globals';

import { connectorFor, connectors } from '../../src/connectors/index.js';

describe('connectorFor', () => {
  test('gives the connector of an integration type', () => {
    expect(connectorFor('XERO').title).toBe('Xero');
  });

  test('names what is available when there is none', () => {
    expect(() => connectorFor('ABACUS')).toThrow(
      expect.objectContaining({
        code: 'invalid-params',
        message: 'integration_type must be one of XERO, got ABACUS',
      }),
    );
  });

  test('pulls what later mappers look up first', () => {
    const order = connectors.map(({ pulls }) => pulls.map(({ definition }) => definition.dataModel));
    expect(order).toEqual([['CURRENCIES', 'ACCOUNTS', 'CONTACTS', 'INVOICES', 'INVOICE_CREDIT_NOTES']]);
  });
});
