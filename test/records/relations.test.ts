import { expect, test } from '@jest/globals';
import type {
  BillPaymentModel,
  DocumentModel,
  InvoiceModel,
  PaymentModel,
} from '../../src/db/__generated__/models.js';
import {
  coded,
  lines,
  linesOf,
  many,
  one,
  oneOfType,
  referenced,
  type RelationOver,
} from '../../src/records/relations.js';

// Each marked line is a mistake: the check of types fails where one of them compiles.
test('a misspelt target, column or reverse column does not compile', () => {
  const ofPayment: Record<string, RelationOver<BillPaymentModel>> = {
    right: one('currency', 'Currency', 'currencyId'),
    // @ts-expect-error no such target
    target: one('currency', 'Curency', 'currencyId'),
    // @ts-expect-error no such column
    column: one('currency', 'Currency', 'currencyIdd'),
    // @ts-expect-error a column that holds no platform id
    kind: one('currency', 'Currency', 'amount'),
  };
  const ofInvoice: Record<string, RelationOver<InvoiceModel>> = {
    right: referenced('sales_orders', 'SalesOrder', 'salesOrderIds'),
    // @ts-expect-error a column that holds one platform id
    one: referenced('sales_orders', 'SalesOrder', 'contactId'),
    // @ts-expect-error no such reverse column
    reverse: many('payments', 'InvoicePayment', 'invoiceIdd'),
    // @ts-expect-error no such column of the target
    where: many('documents', 'Document', 'documentTypeId', { documentTyp: 'INVOICES' }),
    // @ts-expect-error a record is no line
    lines: lines('line_items', 'Invoice'),
    // @ts-expect-error no such line type
    linesOf: linesOf('line_items', 'LineItm', 'invoice'),
  };
  const ofDocument: Record<string, RelationOver<DocumentModel>> = {
    right: oneOfType('documentType', 'documentTypeId'),
    // @ts-expect-error no such column of the type
    type: oneOfType('documentTyp', 'documentTypeId'),
  };
  const ofOwnPayment: Record<string, RelationOver<PaymentModel>> = {
    right: coded('Currency', 'code', 'currencyCode'),
    // @ts-expect-error no such column of the target
    code: coded('Currency', 'cod', 'currencyCode'),
    // @ts-expect-error no such column
    by: coded('Currency', 'code', 'currencyCod'),
  };
  expect([ofDocument['right']?.kind, ofOwnPayment['right']?.kind]).toEqual(['oneOfType', 'coded']);
  expect([ofPayment['right']?.kind, ofInvoice['right']?.kind]).toEqual(['one', 'referenced']);
});
