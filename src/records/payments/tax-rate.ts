import type { PaymentTaxRateModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, text, timestamp } from '../fields.js';

/** Reference G4, payments tax_rates. */
export const paymentTaxRate = defineRecord<PaymentTaxRateModel>()({
  model: 'PaymentTaxRate',
  table: 'payment_tax_rates',
  list: 'paymentTaxRates',
  path: 'payments/tax_rates',
  dataModel: 'PAYMENT_TAX_RATES',
  category: 'PAYMENTS',
  fields: {
    name: text('name'),
    description: text('description'),
    rate: decimalNumber('rate'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {},
});
