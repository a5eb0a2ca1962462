import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { companyInfo } from '../../../records/index.js';
import { instant } from '../time.js';
import { BASE_CURRENCY } from './currencies.js';

/** The company itself. Australian financial years begin in July. */
export function createCompanyInfo(name: string): UnifiedRecord<typeof companyInfo>[] {
  return [
    {
      platformId: 'company',
      values: {
        name,
        legalName: `${name} Pty Ltd`,
        taxNumber: '51 824 753 556',
        registrationNumber: '824 753 556',
        baseCurrency: BASE_CURRENCY,
        fiscalStartAt: '2025-07-01',
        orgCreatedAt: instant(0),
        updatedAt: instant(1.5),
      },
    },
  ];
}
