import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { taxRate } from '../../../records/index.js';
import { sum, ZERO } from '../money.js';
import { instant } from '../time.js';

/** A part of a rate: name, percentage, and whether it is charged on the price plus the parts before it. */
type Part = readonly [string, string, 'compound'?];
/** Code, name, type, agency, parts. */
type Rate = readonly [string, string, 'SALES' | 'PURCHASE' | 'BOTH', string, ...Part[]];

const ATO = 'Australian Taxation Office';
const HMRC = 'HM Revenue & Customs';
const CRA = 'Canada Revenue Agency';
const RATES: readonly Rate[] = [
  ['AU-GST', 'GST 10%', 'BOTH', ATO, ['GST', '10']],
  ['AU-GST-FREE', 'GST free', 'BOTH', ATO, ['GST', '0']],
  ['AU-EXPORT', 'GST free exports', 'SALES', ATO, ['GST', '0']],
  ['AU-INPUT', 'Input taxed', 'PURCHASE', ATO, ['GST', '0']],
  ['AU-WET', 'Wine equalisation tax and GST', 'SALES', ATO, ['WET', '29'], ['GST', '10', 'compound']],
  ['NZ-GST', 'New Zealand GST 15%', 'BOTH', 'Inland Revenue', ['GST', '15']],
  ['GB-VAT', 'UK VAT standard', 'BOTH', HMRC, ['VAT', '20']],
  ['GB-VAT-R', 'UK VAT reduced', 'BOTH', HMRC, ['VAT', '5']],
  ['GB-VAT-Z', 'UK VAT zero rated', 'BOTH', HMRC, ['VAT', '0']],
  ['IE-VAT', 'Ireland VAT', 'BOTH', 'Revenue Commissioners', ['VAT', '23']],
  ['DE-VAT', 'Germany VAT', 'BOTH', 'Bundeszentralamt für Steuern', ['USt', '19']],
  ['DE-VAT-R', 'Germany VAT reduced', 'BOTH', 'Bundeszentralamt für Steuern', ['USt', '7']],
  ['FR-VAT', 'France VAT', 'BOTH', 'Direction générale des Finances publiques', ['TVA', '20']],
  ['ES-VAT', 'Spain VAT', 'BOTH', 'Agencia Tributaria', ['IVA', '21']],
  ['IT-VAT', 'Italy VAT', 'BOTH', 'Agenzia delle Entrate', ['IVA', '22']],
  ['NL-VAT', 'Netherlands VAT', 'BOTH', 'Belastingdienst', ['BTW', '21']],
  ['SE-VAT', 'Sweden VAT', 'BOTH', 'Skatteverket', ['Moms', '25']],
  ['DK-VAT', 'Denmark VAT', 'BOTH', 'Skattestyrelsen', ['Moms', '25']],
  ['NO-VAT', 'Norway VAT', 'BOTH', 'Skatteetaten', ['MVA', '25']],
  ['CH-VAT', 'Switzerland VAT', 'BOTH', 'Eidgenössische Steuerverwaltung', ['MWST', '8.1']],
  ['PL-VAT', 'Poland VAT', 'BOTH', 'Krajowa Administracja Skarbowa', ['VAT', '23']],
  ['CA-GST', 'Canada GST', 'BOTH', CRA, ['GST', '5']],
  ['CA-ON-HST', 'Ontario HST', 'BOTH', CRA, ['Federal part', '5'], ['Provincial part', '8']],
  ['CA-QC', 'Quebec GST and QST', 'BOTH', 'Revenu Québec', ['GST', '5'], ['QST', '9.975']],
  [
    'US-NYC',
    'New York City sales tax',
    'SALES',
    'New York State Department of Taxation and Finance',
    ['State', '4'],
    ['City', '4.5'],
    ['MCTD', '0.375'],
  ],
  [
    'US-LA',
    'Los Angeles sales tax',
    'SALES',
    'California Department of Tax and Fee Administration',
    ['State', '6'],
    ['County', '1.25'],
    ['District', '2.5'],
  ],
  [
    'US-SEA',
    'Seattle sales tax',
    'SALES',
    'Washington State Department of Revenue',
    ['State', '6.5'],
    ['Local', '3.85'],
  ],
  ['IN-GST-18', 'India GST 18%', 'BOTH', 'CBIC', ['CGST', '9'], ['SGST', '9']],
  ['IN-GST-5', 'India GST 5%', 'BOTH', 'CBIC', ['CGST', '2.5'], ['SGST', '2.5']],
  ['IN-IGST', 'India integrated GST', 'BOTH', 'CBIC', ['IGST', '18']],
  ['SG-GST', 'Singapore GST', 'BOTH', 'Inland Revenue Authority of Singapore', ['GST', '9']],
  [
    'JP-CT',
    'Japan consumption tax',
    'BOTH',
    'National Tax Agency',
    ['National part', '7.8'],
    ['Local part', '2.2'],
  ],
  ['ZA-VAT', 'South Africa VAT', 'BOTH', 'South African Revenue Service', ['VAT', '15']],
  ['AE-VAT', 'Emirates VAT', 'BOTH', 'Federal Tax Authority', ['VAT', '5']],
];

/** The platform id of a rate, and its effective percentage. */
interface AppliedTax {
  readonly taxId: string;
  readonly percent: Decimal;
}

const idOf = (code: string): string => `tax-${code.toLowerCase()}`;
const percentOf = (parts: readonly Part[]): Decimal =>
  parts.reduce<Decimal>(
    (rate, [, percent, compound]) =>
      rate.plus(compound ? new Decimal(percent).times(rate.div(100).plus(1)) : percent),
    ZERO,
  );

/** The tax on trade with a country, for an Australian company that is also registered in New Zealand. */
export function taxFor(country: string, side: 'sales' | 'purchases'): AppliedTax {
  const abroad = side === 'sales' ? 'AU-EXPORT' : 'AU-INPUT';
  const code = { Australia: 'AU-GST', 'New Zealand': 'NZ-GST' }[country] ?? abroad;
  const parts = RATES.find(([known]) => known === code)?.slice(4) as Part[] | undefined;
  return { taxId: idOf(code), percent: percentOf(parts ?? []) };
}

export function createTaxRates(): UnifiedRecord<typeof taxRate>[] {
  return RATES.map(([code, name, taxType, taxAgency, ...parts], index) => ({
    platformId: idOf(code),
    values: {
      name,
      code,
      taxType,
      effectiveTaxRate: percentOf(parts).toString(),
      totalTaxRate: sum(parts.map(([, percent]) => percent)).toString(),
      updatedAt: instant(index / 4),
    },
    lines: {
      components: parts.map(([part, rate, compound], position) => ({
        platformId: `${idOf(code)}-${position + 1}`,
        values: { name: part, rate, taxAgency, isCompound: compound === 'compound' },
      })),
    },
  }));
}
