import { LosslessNumber } from 'lossless-json';

import { parseDecimal } from '../../base/values.js';

/** A decimal as a JSON number with all its digits. */
export function toNumber(decimal: string | undefined): LosslessNumber | undefined {
  return decimal === undefined ? undefined : new LosslessNumber(parseDecimal(decimal, ''));
}
