/**
 * How a field is stored, filtered and shown. `decimalNumber` and `decimalText` are the same internally (a decimal as
 * text); they differ in how REST writes them: Reference 2.3 has amounts of both kinds. A `version` is text computed
 * from several columns.
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
  /** The closed value set, if Reference G1 gives one. */
  readonly values?: readonly string[];
  /** Filters compare its values like any text: the reference types the field a plain string. */
  readonly isFilteredAsText?: true;
  /** Where it is shown. */
  readonly shown: Shown;
}

/**
 * Most fields are shown everywhere. `graphql`: not in the reference. `all`: in the reference on `.../all`, but not for
 * clients of `/v3`. `nowhere`: shown by a nested object.
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

/** A text field with a closed value set, although the reference types it a plain string. */
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

/** Internal type of a field's value: decimals, dates and timestamps are text. */
export type ValueOf<Kind extends FieldKind> = Kind extends 'textList'
  ? string[]
  : Kind extends 'boolean'
    ? boolean
    : Kind extends 'svcId'
      ? number
      : Kind extends 'json'
        ? unknown
        : string;
