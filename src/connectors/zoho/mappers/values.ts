import { type PlatformObject } from '../../platform.js';
import { currencyCodeOf, decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { requiredText } from '../../values/required-values.js';
import { ZOHO_TITLE } from '../client.js';

/** The id, which a record must have. */
export const platformIdOf = (object: PlatformObject, name: string): string =>
  requiredText(ZOHO_TITLE, object, name);

export const currencyOf = (object: PlatformObject) => ({
  currencyId: textOf(object['currency_id']),
  currencyCode: currencyCodeOf(object['currency_code']),
});

/** The currency with its rate: units of the base currency for one, as Zoho has it. */
export const ratedCurrencyOf = (object: PlatformObject) => ({
  ...currencyOf(object),
  currencyRate: decimalOf(object['exchange_rate']),
});

export const activityOf = (object: PlatformObject): 'ACTIVE' | 'ARCHIVED' | 'UNKNOWN' => {
  switch (object['status'] ?? object['is_active']) {
    case 'active':
    case true:
      return 'ACTIVE';
    case 'inactive':
    case false:
      return 'ARCHIVED';
    default:
      return 'UNKNOWN';
  }
};

/** The options of reporting tags. */
export const tagIdsOf = (object: PlatformObject): string[] =>
  objectsIn(object['tags']).flatMap((tag) => textOf(tag['tag_option_id']) ?? []);
