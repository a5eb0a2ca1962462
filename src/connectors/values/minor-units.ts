const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A plain decimal of minor units as one of major units, of which each has `10 ** digits`: only the point moves, so no
 * digit can change. Null for other text.
 */
export function fromMinorUnits(minor: string, digits: number): string | null {
  const found = DECIMAL.exec(minor);
  if (!found) return null;
  const [, sign = '', whole = '', fraction = ''] = found;
  const padded = whole.padStart(digits + 1, '0');
  const decimals = padded.slice(padded.length - digits) + fraction;
  const major = padded.slice(0, padded.length - digits);
  return decimals === '' ? sign + major : `${sign}${major}.${decimals}`;
}
