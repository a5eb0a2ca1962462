import type { LineModel, RecordModel, ReferenceColumn, ReferencesColumn, RowOf } from './rows.js';

/**
 * How one record leads to others. References are platform ids inside the same company and connection;
 * `wire` is the name under `expand`.
 */
export type Relation =
  | OneRelation
  | OneOfTypeRelation
  | CodedRelation
  | ManyRelation
  | ReferencedRelation
  | LinesRelation
  | LinesOfRelation
  | EmbeddedRelation;

/** For a relation that is not in the reference: only GraphQL has it. */
export const GRAPHQL_ONLY = null;

/** To one: the record whose platform id is in `by`. */
interface OneRelation {
  readonly kind: 'one';
  readonly wire: string | typeof GRAPHQL_ONLY;
  readonly target: string;
  readonly by: string;
}

/** To one of several types: the record whose platform id is in `by`, and its data model in `type`. */
interface OneOfTypeRelation {
  readonly kind: 'oneOfType';
  readonly wire: typeof GRAPHQL_ONLY;
  readonly type: string;
  readonly by: string;
}

/** To one of the company's records, of any connection: the first whose `code` equals `by`. */
interface CodedRelation {
  readonly kind: 'coded';
  readonly wire: typeof GRAPHQL_ONLY;
  readonly target: string;
  readonly code: string;
  readonly by: string;
}

/** To many: the records whose platform ids are in the list `by`, in that order. */
interface ReferencedRelation {
  readonly kind: 'referenced';
  readonly wire: string;
  readonly target: string;
  readonly by: string;
}

/** To many, reversed: the records of `target` that name this one in their field `by`. A Relay connection. */
export interface ManyRelation {
  readonly kind: 'many';
  readonly wire: string;
  readonly target: string;
  readonly by: string;
  /** Further conditions on the target's fields: platform ids of different types may be equal. */
  readonly where?: Readonly<Record<string, string>>;
}

/** The lines a document owns: rows of their own, complete, in order. */
interface LinesRelation {
  readonly kind: 'lines';
  readonly wire: string;
  readonly target: string;
}

/** The lines of the record that the to-one relation `of` leads to, or this one's own if there are none. */
export interface LinesOfRelation {
  readonly kind: 'linesOf';
  readonly wire: string;
  readonly target: string;
  readonly of: string;
}

/** Identity of an object made of a record's own columns: that of the record, which has one of the kind. */
export const IDENTITY = { svcId: 'svcId', platformId: 'platformId' } as const;

/** An object made of columns of the record itself: its fields by GraphQL name, with the record's field behind each. */
interface EmbeddedRelation {
  readonly kind: 'embedded';
  readonly wire: string;
  readonly fields: Readonly<Record<string, string>>;
}

export const one = <const By extends string>(
  wire: string | typeof GRAPHQL_ONLY,
  target: RecordModel,
  by: By,
): OneRelation & { readonly by: By } => ({ kind: 'one', wire, target, by });
export const oneOfType = <const Type extends string, const By extends string>(
  type: Type,
  by: By,
): OneOfTypeRelation & { readonly type: Type; readonly by: By } => ({
  kind: 'oneOfType',
  wire: GRAPHQL_ONLY,
  type,
  by,
});
export const coded = <Target extends RecordModel, const By extends string>(
  target: Target,
  code: ReferenceColumn<RowOf<Target>>,
  by: By,
): CodedRelation & { readonly by: By } => ({ kind: 'coded', wire: GRAPHQL_ONLY, target, code, by });
export const referenced = <const By extends string>(
  wire: string,
  target: RecordModel,
  by: By,
): ReferencedRelation & { readonly by: By } => ({ kind: 'referenced', wire, target, by });
export const many = <Target extends RecordModel>(
  wire: string,
  target: Target,
  by: ReferenceColumn<RowOf<Target>>,
  where?: Readonly<Partial<Record<ReferenceColumn<RowOf<Target>>, string>>>,
): ManyRelation => ({
  kind: 'many',
  wire,
  target,
  by,
  ...(where ? { where: where as Readonly<Record<string, string>> } : {}),
});
export const lines = (wire: string, target: LineModel): LinesRelation => ({ kind: 'lines', wire, target });
export const linesOf = <const Of extends string>(
  wire: string,
  target: LineModel,
  of: Of,
): LinesOfRelation & { readonly of: Of } => ({ kind: 'linesOf', wire, target, of });
export const embedded = <const Column extends string>(
  wire: string,
  fields: Readonly<Record<string, Column>>,
): EmbeddedRelation & { readonly fields: Readonly<Record<string, Column>> } => ({
  kind: 'embedded',
  wire,
  fields,
});

/** A relation whose columns exist in the row with a fitting type. */
export type RelationOver<Row> =
  | (OneRelation & { readonly by: ReferenceColumn<Row> })
  | (OneOfTypeRelation & { readonly type: ReferenceColumn<Row>; readonly by: ReferenceColumn<Row> })
  | (CodedRelation & { readonly by: ReferenceColumn<Row> })
  | (ReferencedRelation & { readonly by: ReferencesColumn<Row> })
  | (EmbeddedRelation & { readonly fields: Readonly<Record<string, keyof Row>> })
  | ManyRelation
  | LinesRelation
  | LinesOfRelation;
