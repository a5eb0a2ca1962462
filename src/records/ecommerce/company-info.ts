import type { EcommerceCompanyInfoModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { graphqlOnly, text, timestamp } from '../fields.js';
import { coded } from '../relations.js';

/** Reference G4, ecommerce company info: one record a shop. */
export const ecommerceCompanyInfo = defineRecord<EcommerceCompanyInfoModel>()({
  model: 'EcommerceCompanyInfo',
  table: 'ecommerce_company_infos',
  list: 'ecommerceCompanyInfos',
  path: 'ecommerce/company_info',
  dataModel: 'ECOMMERCE_COMPANY_INFO',
  category: 'ECOMMERCE',
  isOnly: true,
  fields: {
    name: text('name'),
    website: text('website'),
    email: text('email'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: { currency: coded('Currency', 'code', 'currencyCode') },
});
