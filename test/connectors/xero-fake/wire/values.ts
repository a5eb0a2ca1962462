import { type Decimal } from 'decimal.js';

/** An instant as Xero writes it. The offset says nothing. */
export const instant = (date: Date): string => `/Date(${date.getTime()}+0000)/`;

/** A calendar day, which Xero gives as midnight UTC. */
export const day = (text: string): string => instant(new Date(`${text}T00:00:00Z`));

/** The same as local text, where Xero has it too. */
export const dayText = (text: string): string => `${text}T00:00:00`;

export const number = (decimal: Decimal): number => decimal.toNumber();

/** A property that Xero leaves out where it has nothing. */
export function optional<Value>(name: string, value: Value | null): Readonly<Record<string, Value>> {
  return value === null ? {} : { [name]: value };
}
