import { Decimal } from 'decimal.js';

import { fromWirePath } from '../../base/names.js';
import type { Path, WriteWarning } from '../../errors.js';

/** What a platform stores of a decimal. */
export interface Kept {
  readonly title: string;
  readonly digits: number;
}

/** The decimal with the digits that are kept. */
export const roundTo = (given: Decimal.Value, digits: number): string =>
  new Decimal(given).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed();

/** The warning about a value of which the platform stores fewer decimals; none if it stores all. */
export function roundedWarnings(given: string | null, { title, digits }: Kept, path: Path): WriteWarning[] {
  if (given === null || new Decimal(given).decimalPlaces() <= digits) return [];
  const words = `is stored as ${roundTo(given, digits)}: ${title} stores ${digits} decimals`;
  return [{ words, path: fromWirePath(path) }];
}
