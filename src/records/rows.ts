import type { TypeMap } from '../db/__generated__/internal/prismaNamespace.js';

type Models = TypeMap['model'];
/** The Prisma row of a model. */
export type RowOf<Model extends keyof Models> = Models[Model]['payload']['scalars'];

/** Models whose rows have all of these columns. */
type With<Column extends string> = {
  [Model in keyof Models]: Column extends keyof RowOf<Model> ? Model : never;
}[keyof Models];

/** Models that references can lead to: platform records. */
export type RecordModel = With<'platformUniqueId'>;
/** Models of lines. */
export type LineModel = With<'parentSvcId'>;

type ColumnOf<Row, Value> = {
  [Column in keyof Row & string]: NonNullable<Row[Column]> extends Value ? Column : never;
}[keyof Row & string];

/** Columns of a row that can hold one platform id. */
export type ReferenceColumn<Row> = ColumnOf<Row, string>;
/** Columns of a row that can hold several. */
export type ReferencesColumn<Row> = ColumnOf<Row, string[]>;
