import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';

import { MAX_FRACTION, MAX_WHOLE } from '../../base/values.js';
import { plain } from './decimals.js';
import { MAX_NUMBER_DIGITS, parsePlatformJson } from './platform-json.js';

/**
 * Readers of platform values for mappers. A value of the wrong type becomes null: one odd field must not cost a whole
 * record.
 */

/** Text, unchanged. Empty text is null: platforms send it for missing values. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** ISO code of a currency, which some platforms write in lower case. */
export const currencyCodeOf = (value: unknown): string | null => textOf(value)?.toUpperCase() ?? null;

const PLAIN_DECIMAL = new RegExp(`^-?(?:0|[1-9]\\d{0,${MAX_WHOLE - 1}})(?:\\.\\d{1,${MAX_FRACTION}})?$`);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A number, or numeric text, as a plain decimal: no exponent, and its decimals as sent, up to the number that is stored. */
export function decimalOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? plainDecimal(String(value)) : null;
  if (isLosslessNumber(value)) return plainDecimal(value.value);
  if (typeof value === 'string') return plainDecimal(value.trim());
  return null;
}

function plainDecimal(text: string): string | null {
  // Checked first: a nine-digit exponent would otherwise expand to a gigabyte of zeros.
  if (text.length > MAX_NUMBER_DIGITS || !DECIMAL.test(text)) return null;
  const decimal = new Decimal(text);
  if (!decimal.isFinite() || Math.abs(decimal.e) > MAX_NUMBER_DIGITS) return null;
  if (!PLAIN_DECIMAL.test(text)) return plain(decimal);
  return decimal.isZero() ? text.replace('-', '') : text;
}

export function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

export function arrayOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/** The object in a JSON text; null if it is something else. */
export function objectFrom(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return objectOf(parsePlatformJson(text).value);
  } catch {
    return null;
  }
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isLosslessNumber(value))
    return null;
  return value as Readonly<Record<string, unknown>>;
}

/** The objects in a list; other elements are dropped. */
export function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return (arrayOf(value) ?? []).map(objectOf).filter((object) => object !== null);
}

/** The texts in a list, without duplicates. */
export function textsIn(value: unknown): string[] {
  const texts = (arrayOf(value) ?? []).map(textOf).filter((text) => text !== null);
  return [...new Set(texts)];
}
