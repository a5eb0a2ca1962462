import type { CompanyInfoModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, text, timestamp } from '../fields.js';

/** Reference G4, company info. */
export const companyInfo = defineRecord<CompanyInfoModel>()({
  model: 'CompanyInfo',
  table: 'company_info',
  list: 'companyInfos',
  path: 'accounting/company_info',
  dataModel: 'COMPANY_INFO',
  category: 'ACCOUNTING',
  isOnly: true,
  fields: {
    name: text('name'),
    legalName: text('legal_name'),
    taxNumber: text('tax_number'),
    registrationNumber: text('registration_number'),
    baseCurrency: text('base_currency'),
    fiscalStartAt: date('fiscal_start_at'),
    orgCreatedAt: timestamp('org_created_at'),
    updatedAt: timestamp('updated_at'),
  },
});
