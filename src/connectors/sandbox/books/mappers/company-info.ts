import { type companyInfo } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { textOf } from '../../../values/platform-values.js';
import { dayOf } from '../dates.js';
import { instantOf } from '../../../values/times.js';
import { guidOf } from './guid.js';

/** The company itself, one per account. */
export function toCompanyInfo(object: PlatformObject): UnifiedRecord<typeof companyInfo> {
  return {
    platformId: guidOf(object),
    values: {
      name: textOf(object['Title']),
      legalName: textOf(object['RegisteredName']),
      taxNumber: textOf(object['TaxRegistration']),
      registrationNumber: textOf(object['CompanyRegistration']),
      baseCurrency: textOf(object['BaseCurrency']),
      fiscalStartAt: dayOf(object['YearStart']),
      orgCreatedAt: instantOf(object['CreatedOn']),
      updatedAt: instantOf(object['ChangedOn']),
    },
  };
}
