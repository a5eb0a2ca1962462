/**
 * How a field is stored, filtered and shown. `decimalNumber` and `decimalText` are the same value inside
 * (a decimal as text); they differ in how REST writes it: Reference 2.3 has amounts of both kinds. A `version` is text that
 * no column holds: it is worked out from several.
 */
export type FieldKind =
  | 'text'
  | 'textList'
  | 'decimalNumber'
  | 'decimalText'
  | 'timestamp'
  | 'date'
  | 'boolean'
  | 'svcId'
  | 'json'
  | 'version';

/** A field of a record: its name on the wire and in the table (the same), and its kind. */
export interface Field<Kind extends FieldKind = FieldKind> {
  readonly wire: string;
  readonly kind: Kind;
  /** The closed value set, where Reference G1 gives one. */
  readonly values?: readonly string[];
  /** Filters compare the words as any text: the reference types the field a plain string. */
  readonly isFilteredAsText?: true;
  /** Where it is shown. */
  readonly shown: Shown;
}

/**
 * Most fields are shown everywhere. `graphql`: the reference does not know them. `all`: the reference has them on
 * `.../all`, clients of `/v3` do not. `nowhere`: part of a nested object, which shows them.
 */
type Shown = 'everywhere' | 'graphql' | 'all' | 'nowhere';

const field =
  <Kind extends FieldKind>(kind: Kind) =>
  (wire: string): Field<Kind> => ({ wire, kind, shown: 'everywhere' });

export const text = field('text');
export const textList = field('textList');
export const decimalNumber = field('decimalNumber');
export const decimalText = field('decimalText');
export const timestamp = field('timestamp');
export const date = field('date');
export const boolean = field('boolean');
export const svcId = field('svcId');
export const json = field('json');
export const version = field('version');

/** A text field with a closed value set: an enum in GraphQL. */
export function oneOf(wire: string, values: readonly string[]): Field<'text'> {
  return { wire, kind: 'text', values, shown: 'everywhere' };
}

/** A text field whose words are a closed set, which the reference types a plain string all the same. */
export function wordOf(wire: string, values: readonly string[]): Field<'text'> {
  return { ...oneOf(wire, values), isFilteredAsText: true };
}

const shownAs =
  (shown: Shown) =>
  <Kind extends FieldKind>(inner: Field<Kind>): Field<Kind> => ({ ...inner, shown });

/** Shows a field in GraphQL only: the reference has no such field. */
export const graphqlOnly = shownAs('graphql');
/** Shows a field in GraphQL and on `.../all`. */
export const allOnly = shownAs('all');
/** A column of a nested object (see `embedded`). */
export const hidden = shownAs('nowhere');

/** What code inside the service holds for a field: decimals, dates and timestamps are text. */
export type ValueOf<Kind extends FieldKind> = Kind extends 'textList'
  ? string[]
  : Kind extends 'boolean'
    ? boolean
    : Kind extends 'svcId'
      ? number
      : Kind extends 'json'
        ? unknown
        : string;
