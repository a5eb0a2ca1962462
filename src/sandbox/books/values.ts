import { Decimal } from 'decimal.js';

/** Money in the format of Books. */
export interface Money {
  readonly Amount: string;
  readonly Currency: string;
}

export const moneyOf = (amount: Decimal.Value, currency: string): Money => {
  const value = new Decimal(amount);
  return { Amount: value.toFixed(Math.max(2, value.decimalPlaces())), Currency: currency };
};

/** `2026-01-09` as `09.01.2026`. */
export const toBooksDay = (day: string): string =>
  `${day.slice(8, 10)}.${day.slice(5, 7)}.${day.slice(0, 4)}`;

/** `09.01.2026` as `2026-01-09`; null if it is not a day. */
export function fromBooksDay(text: string): string | null {
  const match = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  if (!match) return null;
  const day = `${match[3]}-${match[2]}-${match[1]}`;
  const instant = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day) ? day : null;
}
