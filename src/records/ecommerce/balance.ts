import type { EcommerceBalanceModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, text } from '../fields.js';
import { coded } from '../relations.js';

/** Reference G4, ecommerce balances. */
export const ecommerceBalance = defineRecord<EcommerceBalanceModel>()({
  model: 'EcommerceBalance',
  table: 'ecommerce_balances',
  list: 'ecommerceBalances',
  path: 'ecommerce/balances',
  dataModel: 'ECOMMERCE_BALANCES',
  category: 'ECOMMERCE',
  fields: {
    availableBalance: decimalText('available_balance'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
  },
  relations: { currency: coded('Currency', 'code', 'currencyCode') },
});
