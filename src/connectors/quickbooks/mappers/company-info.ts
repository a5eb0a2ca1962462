import { type companyInfo } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { idOf } from '../query.js';
import { createdAtOf, updatedAtOf } from './values.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

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
      fiscalStartAt: yearStart(textOf(object['FiscalYearStartMonth']), orgCreatedAt),
      orgCreatedAt,
      updatedAt: updatedAtOf(object),
    },
  };
}

/** The first day of a financial year: the latest on or before the day on which the company was created. */
function yearStart(monthName: string | null, createdAt: string | null): string | null {
  const month = MONTHS.indexOf(monthName ?? '') + 1;
  if (month === 0 || createdAt === null) return null;
  const [year, day] = [Number(createdAt.slice(0, 4)), createdAt.slice(0, 10)];
  const startIn = (one: number) => `${one}-${String(month).padStart(2, '0')}-01`;
  return startIn(year) <= day ? startIn(year) : startIn(year - 1);
}
