import {
  type companyInfo,
  type currency,
  type taxRate,
  type taxRateComponent,
} from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { booleanOf, currencyCodeOf, decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { monthNamed, yearStart } from '../../values/year-start.js';
import { GROUPED, isGroup } from '../settings.js';
import { changedAt, dayOf } from '../times.js';
import { platformIdOf } from './values.js';

/** A currency of the organization. */
export function toCurrency(object: PlatformObject): UnifiedRecord<typeof currency> {
  return {
    platformId: platformIdOf(object, 'currency_id'),
    values: {
      code: currencyCodeOf(object['currency_code']),
      // With its code before it: `AUD- Australian Dollar`.
      name: textOf(object['currency_name'])?.replace(/^[A-Z]{3}\s*-\s*(?=.)/, '') ?? null,
      symbol: textOf(object['currency_symbol']),
      isBaseCurrency: booleanOf(object['is_base_currency']),
      exchangeRate: decimalOf(object['exchange_rate']),
      updatedAt: changedAt(object),
    },
  };
}

/** A tax, or a group of taxes. */
export function toTaxRate(object: PlatformObject): UnifiedRecord<typeof taxRate> {
  const name = textOf(object['tax_name']);
  const percentage = decimalOf(object['tax_percentage']);
  const taxes = isGroup(object) ? objectsIn(object[GROUPED]) : [object];
  const total = taxes.reduce<string | null>((rate, tax) => sum(rate, decimalOf(tax['tax_percentage'])), '0');
  return {
    platformId: platformIdOf(object, 'tax_id'),
    values: {
      name,
      code: name,
      taxType: textOf(object['tax_specific_type'])?.toUpperCase() ?? null,
      effectiveTaxRate: percentage,
      totalTaxRate: isGroup(object) ? total : percentage,
      updatedAt: changedAt(object),
    },
    lines: { components: taxes.map(toComponent) },
  };
}

const toComponent = (tax: PlatformObject): UnifiedLine<typeof taxRateComponent> => ({
  platformId: null,
  values: {
    name: textOf(tax['tax_name']),
    rate: decimalOf(tax['tax_percentage']),
    taxAgency: textOf(tax['tax_authority_name']),
    isCompound: tax['tax_type'] === 'compound_tax',
  },
});

/** The organization itself. */
export function toCompanyInfo(object: PlatformObject): UnifiedRecord<typeof companyInfo> {
  const created = dayOf(object['account_created_date']);
  const orgCreatedAt = created && `${created}T00:00:00.000Z`;
  return {
    platformId: platformIdOf(object, 'organization_id'),
    values: {
      name: textOf(object['name']),
      taxNumber: textOf(object['tax_id_value']),
      registrationNumber: textOf(object['company_id_value']),
      baseCurrency: currencyCodeOf(object['currency_code']),
      fiscalStartAt: yearStart(firstMonth(object['fiscal_year_start_month']), orgCreatedAt),
      orgCreatedAt,
      updatedAt: changedAt(object),
    },
  };
}

/** The month that a financial year begins with: counted from 0, or its name. */
function firstMonth(value: unknown): number | null {
  const index = decimalOf(value);
  if (index === null) return monthNamed(textOf(value));
  return /^(?:\d|1[01])$/.test(index) ? Number(index) + 1 : null;
}
