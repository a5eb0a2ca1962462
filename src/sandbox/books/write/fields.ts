import { Decimal } from 'decimal.js';
import { Failure, type Problem } from '../../failure.js';
import { fromBooksDay } from '../values.js';

/** Collects the problems of a body, to reject it with all of them. */
export class Problems {
  private readonly found: Problem[] = [];

  add(field: string, code: string, message: string): void {
    this.found.push({ field, code, message });
  }

  get isEmpty(): boolean {
    return this.found.length === 0;
  }

  throwIfAny(): void {
    const { length } = this.found;
    if (length === 0) return;
    const message = length === 1 ? '1 problem' : `${length} problems`;
    throw new Failure('invalid', message, { problems: this.found });
  }
}

type Input = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the fields of one object in a body. Missing or invalid fields are recorded as problems and read as null. */
export class Fields {
  private readonly known = new Set<string>();

  constructor(
    private readonly input: Input,
    readonly problems: Problems,
    private readonly at = '',
    /** Whether a field is the object's own from before, which the body did not send. */
    readonly isKept: (field: string) => boolean = () => false,
  ) {}

  /** The field's full name: `Lines[0].Text`. */
  name(field: string): string {
    return this.at === '' ? field : `${this.at}.${field}`;
  }

  /** Accepts and ignores fields that the platform computes. */
  ignore(...fields: readonly string[]): void {
    for (const field of fields) this.known.add(field);
  }

  has(field: string): boolean {
    this.known.add(field);
    return this.input[field] != null;
  }

  raw(field: string): unknown {
    this.known.add(field);
    return this.input[field] ?? null;
  }

  invalid(field: string, message: string): null {
    this.problems.add(this.name(field), 'Invalid', `${field} ${message}`);
    return null;
  }

  require(field: string): boolean {
    if (this.has(field)) return true;
    this.problems.add(this.name(field), 'Required', `${field} is required`);
    return false;
  }

  text(field: string, max = 500): string | null {
    const value = this.raw(field);
    if (value === null) return null;
    const isText = typeof value === 'string' && value.length <= max && !value.includes('\0');
    return isText ? value : this.invalid(field, `must be a text of up to ${max} characters`);
  }

  requiredText(field: string, max = 500): string | null {
    const value = this.require(field) ? this.text(field, max) : null;
    return value?.trim() === '' ? this.invalid(field, 'must not be empty') : value;
  }

  oneOf(field: string, words: readonly string[]): string | null {
    const value = this.raw(field);
    if (value === null) return null;
    const word = words.find((one) => one === value);
    return word ?? this.invalid(field, `must be one of: ${words.join(', ')}`);
  }

  decimal(field: string): Decimal | null {
    const value = this.raw(field);
    if (value === null) return null;
    const text = typeof value === 'number' ? String(value) : value;
    const isDecimal = typeof text === 'string' && /^-?\d{1,15}(\.\d{1,8})?$/.test(text);
    return isDecimal ? new Decimal(text) : this.invalid(field, 'must be a decimal such as 12.50');
  }

  /** `{ "Amount", "Currency" }` in this currency, or only the amount. */
  money(field: string, currency: string): Decimal | null {
    const value = this.raw(field);
    if (!isObject(value)) return this.decimal(field);
    const inner = this.inner(value, field);
    const given = inner.text('Currency', 3);
    if (given !== null && given !== currency) inner.invalid('Currency', `must be ${currency}`);
    const amount = inner.require('Amount') ? inner.decimal('Amount') : null;
    inner.finish();
    return amount;
  }

  /** A day in the platform's format. */
  day(field: string): string | null {
    const text = this.text(field, 10);
    if (text === null || fromBooksDay(text) !== null) return text;
    return this.invalid(field, 'must be a day such as 31.01.2026');
  }

  object(field: string): Fields | null {
    const value = this.raw(field);
    if (value === null) return null;
    if (isObject(value)) return this.inner(value, field);
    return this.invalid(field, 'must be an object');
  }

  objects(field: string): Fields[] {
    return this.list(field).flatMap((value, index) => {
      const at = `${this.name(field)}[${index}]`;
      if (isObject(value)) return [this.inner(value, field, at)];
      this.problems.add(at, 'Invalid', `${at} must be an object`);
      return [];
    });
  }

  texts(field: string): string[] {
    return this.list(field).flatMap((value, index) => {
      if (typeof value === 'string') return [value];
      this.problems.add(`${this.name(field)}[${index}]`, 'Invalid', 'must be a text');
      return [];
    });
  }

  private inner(value: Input, field: string, at = this.name(field)): Fields {
    return new Fields(value, this.problems, at, () => this.isKept(field));
  }

  private list(field: string): readonly unknown[] {
    const value = this.raw(field);
    if (value === null) return [];
    if (Array.isArray(value) && value.length <= 1000) return value as unknown[];
    this.invalid(field, 'must be a list of up to 1000 elements');
    return [];
  }

  /** Records fields that were never read as unknown. */
  finish(): void {
    for (const field of Object.keys(this.input)) {
      if (!this.known.has(field)) {
        this.problems.add(this.name(field), 'UnknownField', `there is no field ${field}`);
      }
    }
  }
}
