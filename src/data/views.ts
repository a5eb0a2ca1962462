import { type DefinitionNode, Kind, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { inSnakeCase, lowerFirst } from '../base/names.js';
import { packagePath } from '../package-path.js';
import { columnSql } from '../query/columns.js';
import { company, definitionOf, type RecordDefinition, records } from '../records/index.js';

/** Schema of the views. */
export const DATA_SCHEMA = 'data';

interface Column {
  readonly name: string;
  readonly sql: string;
  readonly comment: string | null;
}

/** Definition of a view in the schema `data`. */
export interface DataView {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: readonly Column[];
  /** The part after the columns: `FROM ...`. */
  readonly from: string;
  /** The tables that it reads. */
  readonly tables: readonly RecordDefinition[];
}

/** Definitions of the views. They do not filter by caller: row-level security of the tables does. */
export function dataViews(): DataView[] {
  const describe = readDescriptions();
  const columnsOf = (definition: RecordDefinition): Column[] =>
    Object.entries(definition.fields)
      .filter(([name]) => name !== 'svcOrganisationId' && name !== 'svcDeletedAt')
      .map(([name, field]) => ({
        name: field.wire,
        sql: columnSql(definition, field),
        comment: describe(definition.model, name),
      }));
  const ofRecords = (definition: RecordDefinition): DataView => ({
    name: definition.table,
    comment: describe(definition.model),
    columns: columnsOf(definition),
    from: `FROM public.${definition.table} t${definition.role === 'record' ? ' WHERE t.svc_deleted_at IS NULL' : ''}`,
    tables: [definition],
  });
  const ofLines = (parent: RecordDefinition): DataView[] =>
    Object.values(parent.relations).flatMap((relation): DataView[] => {
      if (relation.kind !== 'lines') return [];
      const lines = definitionOf(relation.target);
      const owner = inSnakeCase(lowerFirst(parent.model));
      const key: Column = {
        name: `${owner}_svc_id`,
        sql: 't.parent_svc_id',
        comment: `svc_id of the record in data.${parent.table} that the line belongs to.`,
      };
      const place: Column = {
        name: 'line_position',
        sql: 't.position',
        comment: 'Order within that record.',
      };
      return [
        {
          name: `${owner}_${relation.wire}`,
          comment: `Lines of data.${parent.table}. ${describe(lines.model) ?? ''}`.trim(),
          columns: [key, place, ...columnsOf(lines)],
          from: `FROM public.${lines.table} t JOIN public.${parent.table} p ON p.svc_company_id = t.svc_company_id
            AND p.svc_id = t.parent_svc_id WHERE p.svc_deleted_at IS NULL`,
          tables: [parent, lines],
        },
      ];
    });
  return [
    ofRecords(company),
    ...records.flatMap((definition) => [ofRecords(definition), ...ofLines(definition)]),
  ];
}

/** The statements that create a view. */
export function viewSql({ name, comment, columns, from }: DataView): string[] {
  const view = `${DATA_SCHEMA}.${pg.escapeIdentifier(name)}`;
  const list = columns.map((column) => `${column.sql} AS ${pg.escapeIdentifier(column.name)}`).join(', ');
  const say = (what: string, words: string | null) =>
    words === null ? [] : [`COMMENT ON ${what} IS ${pg.escapeLiteral(words)}`];
  return [
    `CREATE VIEW ${view} WITH (security_barrier) AS SELECT ${list} ${from}`,
    ...say(`VIEW ${view}`, comment),
    ...columns.flatMap((column) => say(`COLUMN ${view}.${pg.escapeIdentifier(column.name)}`, column.comment)),
  ];
}

/** Looks up the GraphQL description of a type or field. */
function readDescriptions(): (model: string, field?: string) => string | null {
  const { definitions } = parse(readFileSync(packagePath('schema.graphql'), 'utf8'), { noLocation: true });
  const types = new Map(
    definitions.flatMap((one: DefinitionNode) =>
      one.kind === Kind.OBJECT_TYPE_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  return (model, field) => {
    const type = types.get(model);
    const node = field === undefined ? type : type?.fields?.find(({ name: { value } }) => value === field);
    return node?.description?.value ?? null;
  };
}
