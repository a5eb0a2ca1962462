import type { CompanyModel } from '../db/__generated__/models.js';
import { defineCompany } from './define.js';
import { text } from './fields.js';

/** A customer of the organisation. Reference G12, company. */
export const company = defineCompany<CompanyModel>()({
  model: 'Company',
  table: 'companies',
  list: 'companies',
  path: 'core/companies',
  dataModel: 'COMPANIES',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    partnerId: text('partner_id'),
    baseCurrencyCode: text('base_currency_code'),
  },
});
