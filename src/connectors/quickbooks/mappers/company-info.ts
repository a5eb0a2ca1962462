import { type companyInfo } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { monthNamed, yearStart } from '../../values/year-start.js';
import { idOf } from '../query.js';
import { createdAtOf, updatedAtOf } from './values.js';

/** The company itself. */
export function toCompanyInfo(
  object: PlatformObject,
  { baseCurrency }: Lookups,
): UnifiedRecord<typeof companyInfo> {
  const orgCreatedAt = createdAtOf(object);
  return {
    platformId: idOf(object),
    unresolved: baseCurrency === null,
    values: {
      name: textOf(object['CompanyName']),
      legalName: textOf(object['LegalName']),
      taxNumber: textOf(object['EmployerId']),
      registrationNumber: null,
      baseCurrency,
      fiscalStartAt: yearStart(monthNamed(textOf(object['FiscalYearStartMonth'])), orgCreatedAt),
      orgCreatedAt,
      updatedAt: updatedAtOf(object),
    },
  };
}
