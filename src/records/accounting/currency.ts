import type { CurrencyModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { boolean, decimalNumber, text, timestamp } from '../fields.js';

/** Reference 2.3, Currency object; a record of its own in Reference G4. */
export const currency = defineRecord<CurrencyModel>()({
  model: 'Currency',
  table: 'currencies',
  list: 'currencies',
  path: 'accounting/currencies',
  dataModel: 'CURRENCIES',
  category: 'ACCOUNTING',
  fields: {
    code: text('code'),
    name: text('name'),
    symbol: text('symbol'),
    isBaseCurrency: boolean('is_base_currency'),
    exchangeRate: decimalNumber('exchange_rate'),
    updatedAt: timestamp('updated_at'),
  },
});
