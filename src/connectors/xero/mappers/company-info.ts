import { type companyInfo } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { timestampOf } from '../dates.js';
import { platformIdOf } from './platform-id.js';

/** The organisation itself. Xero does not report when it changed. */
export function toCompanyInfo(object: PlatformObject): UnifiedRecord<typeof companyInfo> {
  const orgCreatedAt = timestampOf(object['CreatedDateUTC']);
  return {
    platformId: platformIdOf(object, 'OrganisationID'),
    values: {
      name: textOf(object['Name']),
      legalName: textOf(object['LegalName']),
      taxNumber: textOf(object['TaxNumber']),
      registrationNumber: textOf(object['RegistrationNumber']),
      baseCurrency: textOf(object['BaseCurrency']),
      fiscalStartAt: yearStart(object, orgCreatedAt),
      orgCreatedAt,
    },
  };
}

/** The first day of a financial year: the latest on or before the day the organisation was created at Xero. */
function yearStart(object: PlatformObject, createdAt: string | null): string | null {
  const month = Number(decimalOf(object['FinancialYearEndMonth']));
  const day = Number(decimalOf(object['FinancialYearEndDay']));
  if (createdAt === null || !(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return null;
  const created = createdAt.slice(0, 10);
  // A year that ends in February ends on its last day, leap year or not.
  const startIn = (year: number) =>
    new Date(month === 2 && day >= 28 ? Date.UTC(year, 2, 1) : Date.UTC(year, month - 1, day + 1));
  const year = Number(created.slice(0, 4));
  const start = startIn(year).toISOString().slice(0, 10);
  return start <= created
    ? start
    : startIn(year - 1)
        .toISOString()
        .slice(0, 10);
}
