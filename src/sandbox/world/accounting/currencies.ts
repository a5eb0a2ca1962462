import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { currency } from '../../../records/index.js';
import { instant } from '../time.js';

/** Code, name, symbol, Australian dollars per unit. */
const CURRENCIES: readonly (readonly [string, string, string, string])[] = [
  ['AUD', 'Australian Dollar', '$', '1'],
  ['USD', 'US Dollar', '$', '1.5305'],
  ['EUR', 'Euro', '€', '1.6620'],
  ['GBP', 'British Pound', '£', '1.9418'],
  ['NZD', 'New Zealand Dollar', '$', '0.9127'],
  ['JPY', 'Japanese Yen', '¥', '0.010184'],
  ['CNY', 'Chinese Yuan', '¥', '0.21094'],
  ['HKD', 'Hong Kong Dollar', '$', '0.19561'],
  ['SGD', 'Singapore Dollar', '$', '1.1402'],
  ['INR', 'Indian Rupee', '₹', '0.018165'],
  ['IDR', 'Indonesian Rupiah', 'Rp', '0.0000942'],
  ['KRW', 'South Korean Won', '₩', '0.001107'],
  ['MYR', 'Malaysian Ringgit', 'RM', '0.34527'],
  ['PHP', 'Philippine Peso', '₱', '0.026810'],
  ['THB', 'Thai Baht', '฿', '0.04382'],
  ['VND', 'Vietnamese Dong', '₫', '0.0000603'],
  ['TWD', 'New Taiwan Dollar', 'NT$', '0.04921'],
  ['FJD', 'Fijian Dollar', '$', '0.6719'],
  ['PGK', 'Papua New Guinean Kina', 'K', '0.3814'],
  ['CAD', 'Canadian Dollar', '$', '1.1187'],
  ['MXN', 'Mexican Peso', '$', '0.07934'],
  ['BRL', 'Brazilian Real', 'R$', '0.2731'],
  ['CHF', 'Swiss Franc', 'CHF', '1.7312'],
  ['SEK', 'Swedish Krona', 'kr', '0.14873'],
  ['NOK', 'Norwegian Krone', 'kr', '0.14226'],
  ['DKK', 'Danish Krone', 'kr', '0.22274'],
  ['PLN', 'Polish Zloty', 'zł', '0.3869'],
  ['CZK', 'Czech Koruna', 'Kč', '0.06658'],
  ['HUF', 'Hungarian Forint', 'Ft', '0.004118'],
  ['ILS', 'Israeli Shekel', '₪', '0.4196'],
  ['AED', 'United Arab Emirates Dirham', 'AED', '0.41674'],
  ['SAR', 'Saudi Riyal', 'SAR', '0.40813'],
  ['ZAR', 'South African Rand', 'R', '0.08295'],
  ['TRY', 'Turkish Lira', '₺', '0.04417'],
];

/** The currency of the demo companies' books. */
export const BASE_CURRENCY = 'AUD';

/** The currency fields of a document. */
interface CurrencyFields {
  readonly currencyId: string;
  readonly currencyCode: string;
  /** Base currency units for one unit of the currency. */
  readonly currencyRate: string;
}

export function currencyFields(code: string): CurrencyFields {
  const rate = CURRENCIES.find(([known]) => known === code)?.[3];
  if (rate === undefined) throw new Error(`the demo companies do not trade in ${code}`);
  return { currencyId: `cur-${code.toLowerCase()}`, currencyCode: code, currencyRate: rate };
}

/** The currency fields of a record without a field for the rate. */
export function currencyWithoutRate(code: string): Omit<CurrencyFields, 'currencyRate'> {
  const { currencyId, currencyCode } = currencyFields(code);
  return { currencyId, currencyCode };
}

export function createCurrencies(): UnifiedRecord<typeof currency>[] {
  return CURRENCIES.map(([code, name, symbol, exchangeRate], index) => ({
    platformId: currencyFields(code).currencyId,
    values: {
      code,
      name,
      symbol,
      exchangeRate,
      isBaseCurrency: code === BASE_CURRENCY,
      updatedAt: instant(index / 24),
    },
  }));
}
