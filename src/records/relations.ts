/**
 * How one record leads to others. References are platform ids inside the same company and connection
 * (design 3.6); `wire` is the name under `expand`.
 */
export type Relation = OneRelation | ManyRelation | ReferencedRelation | LinesRelation;

/** To one: the record whose platform id stands in `by`. */
export interface OneRelation {
  readonly kind: 'one';
  readonly wire: string;
  readonly target: string;
  readonly by: string;
}

/** To many: the records whose platform ids stand in the list `by`, in that order. */
export interface ReferencedRelation {
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
}

/** The lines a document owns: rows of their own, complete, in order. */
export interface LinesRelation {
  readonly kind: 'lines';
  readonly wire: string;
  readonly target: string;
}

export const one = (wire: string, target: string, by: string): OneRelation => ({
  kind: 'one',
  wire,
  target,
  by,
});
export const referenced = (wire: string, target: string, by: string): ReferencedRelation => ({
  kind: 'referenced',
  wire,
  target,
  by,
});
export const many = (wire: string, target: string, by: string): ManyRelation => ({
  kind: 'many',
  wire,
  target,
  by,
});
export const lines = (wire: string, target: string): LinesRelation => ({ kind: 'lines', wire, target });
