import { z } from 'zod';

import { AppError } from '../../errors.js';
import { parseDate, parseDecimal } from '../../base/values.js';
import { isStorableJson } from '../values/platform-json.js';

/** Field schemas of write items. Error messages complete "field ...". */

const OBJECT = 'must be an object';

/** The JSON Schema keyword for the record type that a field refers to. */
export const REFERENCES = 'x-references';

export function text(max = 4000) {
  return z
    .string({ error: 'must be a text' })
    .max(max, `must have at most ${max} characters`)
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'must not contain a NUL character or half a surrogate pair',
    );
}

/** Text that is not blank. */
export const name = (max = 200) => text(max).refine((value) => value.trim() !== '', 'must not be empty');

/** The platform id of a record of this type. */
export const reference = (dataModel: string) => name().meta({ [REFERENCES]: dataModel });

export const references = (dataModel: string) =>
  z
    .array(reference(dataModel), { error: 'must be a list of platform ids' })
    .max(1000, 'must have at most 1000');

/** A decimal as text, from text or a number. */
export const decimal = () => parsed(z.union([z.string(), z.number()], { error: DECIMAL }), parseDecimal);
const DECIMAL = 'must be a decimal such as 12.50';

/** A decimal of zero or more. */
export const positive = () =>
  decimal().refine((value) => !value.startsWith('-') || /^-[0.]*$/.test(value), 'must not be negative');

/** A decimal above zero, such as a currency rate. */
export const aboveZero = () =>
  decimal().refine((value) => !value.startsWith('-') && /[1-9]/.test(value), 'must be above 0');

/** A calendar day as `YYYY-MM-DD`; of a date-time, its day as written. */
export const day = () =>
  parsed(z.string({ error: DAY }).meta({ format: 'date', description: DAY_FORM }), parseDate);
const DAY_FORM = 'A day. A date-time is accepted too: its day as written, whatever its time zone.';
const DAY = 'must be a date such as 2026-11-21';

/** One of these words, case-insensitive. */
export function choice<const Values extends readonly string[]>(values: Values) {
  const message = `must be one of ${values.join(', ')}`;
  return z
    .string({ error: message })
    .meta({ enum: values })
    .transform((value, context) => {
      const found = values.find((one) => one === value.toUpperCase()) as Values[number] | undefined;
      if (found !== undefined) return found;
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    });
}

export const flag = () => z.boolean({ error: 'must be true or false' });

/** Platform-specific fields, passed on unchanged. */
export const rawData = () =>
  z
    .record(z.string(), z.unknown(), { error: OBJECT })
    .refine(
      isStorableJson,
      'must not contain a NUL character, half a surrogate pair or a number beyond 1e1000',
    );

export function parsed<Given>(
  schema: z.ZodType<string | number, Given>,
  parse: (value: unknown, field: string) => string,
): z.ZodType<string, Given> {
  return schema.transform((value, context) => {
    try {
      return parse(value, '');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.issues.push({ code: 'custom', message: error.words, input: value });
      return z.NEVER;
    }
  });
}

/** Null counts as absent: readers of the item see `undefined`. */
type Optional<Field extends z.ZodType> = z.ZodType<
  z.output<Field> | undefined,
  z.input<Field> | null | undefined
>;
export type OptionalShape<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodType ? Optional<Shape[Name]> : never;
};

/** An object with these fields, optional unless named in `required`. Unknown fields are dropped. */
export function itemOf<Shape extends z.ZodRawShape, const Required extends keyof Shape & string = never>(
  shape: Shape,
  required: readonly Required[] = [],
): z.ZodObject<Pick<Shape, Required> & Omit<OptionalShape<Shape>, Required>> {
  const needed: ReadonlySet<string> = new Set(required);
  const fields = Object.entries(shape).map(([field, schema]): [string, z.core.$ZodType] => [
    field,
    needed.has(field) ? schema : optional(schema as z.ZodType),
  ]);
  return z.object(Object.fromEntries(fields), { error: OBJECT }) as unknown as z.ZodObject<
    Pick<Shape, Required> & Omit<OptionalShape<Shape>, Required>
  >;
}

const optional = <Field extends z.ZodType>(field: Field): Optional<Field> =>
  field.nullish().transform((value) => value ?? undefined);
