import { type Field, type FieldKind, type ValueOf } from './fields.js';
import { companyMetadata, type InternalColumn, lineMetadata, metadata } from './metadata.js';
import { type Relation, type RelationOver } from './relations.js';

/** Kinds of platforms, and of the records that come from them. */
export const CATEGORIES = ['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE'] as const;
export type Category = (typeof CATEGORIES)[number];
export type Fields = Readonly<Record<string, Field>>;

/** A record type or line type: all code that reads, stores and shows it uses this value. */
export interface RecordDefinition<OwnFields extends Fields = Fields> {
  /** `record` is stored and listed by itself; `line` belongs to one; `company` owns both. */
  readonly role: 'record' | 'line' | 'company';
  /** GraphQL type. */
  readonly model: string;
  readonly table: string;
  /** The column that keeps a row with its company. */
  readonly companyColumn: 'svc_company_id' | 'svc_id';
  /** The list's GraphQL field, plural of the type. */
  readonly list: string;
  /** The REST path below `/v3/`. */
  readonly path: string;
  /** The REST path without a version: of bulk writes, and of lists with `/all`. */
  readonly unversionedPath: string;
  /** The name in webhooks and syncs, Reference G6. */
  readonly dataModel: string;
  readonly category: Category;
  /** A platform account has only one record of it. */
  readonly isOnly?: true | undefined;
  /** The record's own fields by GraphQL name. */
  readonly own: OwnFields;
  /** Own fields and metadata together. */
  readonly fields: Fields;
  readonly relations: Readonly<Record<string, Relation>>;
  readonly rest: RestPresentation;
}

/** Fields and relations in the reference's responses beyond a record type's own fields. Names are GraphQL names. */
interface RestPresentation {
  /** Records: metadata beyond the common ones (Reference 2.2, "present on"). Lines: all the metadata they show. */
  readonly metadata?: readonly string[];
  /** Relations in every response, and their value if there is none. */
  readonly always?: Readonly<Record<string, Absent>>;
  /** Relations that `expand` accepts, if not all others. */
  readonly expand?: readonly string[];
  /** Relations in `.../all` responses. */
  readonly all?: readonly string[];
  /** Metadata in `.../all` responses without `select` (Reference G5). */
  readonly allMetadata?: readonly string[];
  /** The response of a write on `/v3` is a list with the record (Reference G8). */
  readonly isWrittenAsList?: boolean;
}

/** Value of a relation without a target. */
export type Absent = '{}' | '[]' | 'null';

type KindFor<Column> =
  NonNullable<Column> extends string[]
    ? 'textList'
    : NonNullable<Column> extends boolean
      ? 'boolean'
      : NonNullable<Column> extends bigint
        ? 'svcId'
        : NonNullable<Column> extends Date
          ? 'timestamp' | 'date'
          : NonNullable<Column> extends string
            ? 'text'
            : 'decimalNumber' | 'decimalText';

/** One field per column of the Prisma row that is not metadata, each of a kind that fits the column. */
type FieldsOf<Row> = {
  readonly [Column in Exclude<keyof Row, keyof typeof metadata | InternalColumn>]: Field<
    KindFor<Row[Column]>
  >;
};

interface Definition<Row, OwnFields> {
  model: string;
  table: string;
  list: string;
  path: string;
  /** If it differs from `path`. */
  unversionedPath?: string;
  dataModel: string;
  category: Category;
  isOnly?: true;
  fields: OwnFields;
  relations?: Readonly<Record<string, RelationOver<Row>>>;
  rest?: RestPresentation;
}

const define =
  (role: RecordDefinition['role'], common: Fields) =>
  <Row>() =>
  <const OwnFields extends FieldsOf<Row> & Fields>(
    definition: Definition<Row, OwnFields>,
  ): RecordDefinition<OwnFields> => ({
    role,
    model: definition.model,
    table: definition.table,
    companyColumn: role === 'company' ? 'svc_id' : 'svc_company_id',
    list: definition.list,
    path: definition.path,
    unversionedPath: definition.unversionedPath ?? definition.path,
    dataModel: definition.dataModel,
    category: definition.category,
    isOnly: definition.isOnly,
    own: definition.fields,
    fields: { ...common, ...definition.fields },
    relations: definition.relations ?? {},
    rest: definition.rest ?? {},
  });

/** Defines a record type over its Prisma row: `defineRecord<AccountModel>()({ ... })`. */
export const defineRecord = define('record', metadata);
/** Defines a line type over its Prisma row. */
export const defineLine = define('line', lineMetadata);
/** Defines the company, which is listed like records but belongs to no platform. */
export const defineCompany = define('company', companyMetadata);

/** A record's own values from a connector's mapper. Absent means unknown (null). */
export type ValuesOf<Definition extends RecordDefinition> = {
  -readonly [Name in keyof Definition['own']]?: ValueOf<Definition['own'][Name]['kind']> | null;
};

export type { FieldKind };
