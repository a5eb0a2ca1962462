import type { Field, FieldKind } from '../records/fields.js';
import type { Absent, RecordDefinition } from '../records/define.js';
import { definitionOf } from '../records/index.js';
import { IDENTITY } from '../records/relations.js';

/**
 * How one object looks on the wire: which GraphQL fields it selects, under which names, written how. Both the
 * prepared GraphQL operation and the writer of the answer are made from it.
 */
export type Shape = readonly ShapeField[];

export type ShapeField = PlainField | RelationField;

interface PlainField {
  readonly wire: string;
  readonly graphql: string;
  readonly kind: FieldKind;
}

export interface RelationField {
  readonly wire: string;
  readonly graphql: string;
  readonly kind: 'object' | 'lines' | 'connection';
  readonly shape: Shape;
  /** `.../all` puts relations into `{data: ...}` (Reference 2.3). */
  readonly wrapped: boolean;
  /** Replacement for an absent object. */
  readonly absent: Absent;
}

/** Identifies the record that a connection belongs to. */
export const OWNER: PlainField = { wire: 'svc_id', graphql: 'svcId', kind: 'svcId' };

/** The two documented styles: cursor lists on `/v3`, and POST `.../all`. */
export type Style = 'v3' | 'all';

export interface ShapeOptions {
  readonly style: Style;
  /** Relations to expand, by GraphQL name; those of lines are named behind them: `lineItems.item`. */
  readonly expand: readonly string[];
  /** Metadata to add: `rawData`, `dataHash`, `version` (Reference 4.3, select). */
  readonly select: readonly string[];
  readonly includeDeleted: boolean;
  /** Wire names of the only fields shown, in addition to `expand` and `select`; all if absent. */
  readonly fields?: readonly string[] | null;
}

/** Values derived from `raw_data`: not fields of the definition. */
const IN_RAW_DATA: ReadonlyMap<string, ShapeField> = new Map<string, ShapeField>([
  ['fields', { wire: 'fields', graphql: 'fields', kind: 'json' }],
  [
    'customFields',
    {
      wire: 'custom_fields',
      graphql: 'customFields',
      kind: 'lines',
      shape: [
        { wire: 'id', graphql: 'id', kind: 'text' },
        { wire: 'name', graphql: 'name', kind: 'text' },
        { wire: 'value', graphql: 'value', kind: 'json' },
        { wire: 'type', graphql: 'type', kind: 'text' },
      ],
      wrapped: false,
      absent: '[]',
    },
  ],
]);

/** Metadata of every record. */
export const V3_METADATA = ['svcId', 'svcCompanyId', 'svcCreatedAt', 'svcUpdatedAt', 'platformId'];
/** Reference 2.2: present on `.../all` records. */
export const ALL_METADATA = [...V3_METADATA, 'svcIntegrationType', 'svcOrganisationId'];

/** The shape of a record in an answer; Reference 2.2, 2.3, G5. */
export function recordShape(definition: RecordDefinition, options: ShapeOptions): Shape {
  const { rest } = definition;
  const fields = options.fields ?? null;
  const all = options.style === 'all';
  const metadata = new Set([
    ...(all ? ALL_METADATA : V3_METADATA),
    ...(rest.metadata ?? []),
    ...(all ? (rest.allMetadata ?? []) : []),
    ...(options.includeDeleted || fields?.includes('svc_deleted_at') ? ['svcDeletedAt'] : []),
    ...options.select,
  ]);
  const expanded = expandedBelow([...(all ? (rest.all ?? []) : []), ...options.expand]);
  const { style } = options;
  const named = plainFields(
    definition,
    [...metadata].filter((name) => !IN_RAW_DATA.has(name)),
  );
  const isWanted = ({ wire, graphql }: ShapeField) =>
    fields === null || fields.includes(wire) || options.select.includes(graphql);
  return [
    ...[
      ...named,
      ...[...IN_RAW_DATA].flatMap(([name, field]) => (metadata.has(name) ? [field] : [])),
      ...ownFields(definition, style),
      ...alwaysFields(definition, style),
    ].filter(isWanted),
    ...[...expanded].map(([name, below]) =>
      relationField(definition, name, { absent: 'null', wrapped: all, style, below }),
    ),
  ];
}

/** The names before the dot, each with those after it. */
function expandedBelow(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const [first = '', below] = name.split('.');
    found.set(first, [...(found.get(first) ?? []), ...(below === undefined ? [] : [below])]);
  }
  return found;
}

const KINDS = {
  one: 'object',
  referenced: 'connection',
  lines: 'lines',
  linesOf: 'lines',
  many: 'connection',
} as const;

function relationField(
  definition: RecordDefinition,
  name: string,
  options: Pick<RelationField, 'absent' | 'wrapped'> & {
    readonly style: Style;
    /** For an expanded relation: the relations to show in the lines it leads to. */
    readonly below?: readonly string[];
  },
): RelationField {
  const { absent, wrapped, style, below } = options;
  const relation = definition.relations[name];
  if (!relation?.wire) throw new Error(`${definition.model} has no relation ${name}`);
  const { wire } = relation;
  if (relation.kind === 'embedded') {
    const shape = Object.entries(relation.fields).map(([graphql, column]) => {
      const [field] = plainFields(definition, [column]);
      if (!field) throw new Error(`${definition.model} has no field ${column}`);
      // The columns are named after the object: `bill_item_account_id`.
      return {
        ...field,
        graphql,
        wire: graphql in IDENTITY ? field.wire : field.wire.slice(wire.length + 1),
      };
    });
    return { wire, graphql: name, kind: 'object', shape, wrapped, absent };
  }
  const target = definitionOf(relation.target);
  const metadata = target.role === 'line' ? (target.rest.metadata ?? []) : V3_METADATA;
  const shape = [
    ...plainFields(target, metadata),
    ...ownFields(target, style),
    // An expanded record shows its own default relations, but those are not expanded further: accounts would recurse
    // forever.
    ...(below ? alwaysFields(target, style) : []),
    ...(below ?? []).map((one) => relationField(target, one, { absent: 'null', wrapped, style, below: [] })),
  ];
  return { wire, graphql: name, kind: KINDS[relation.kind], shape, wrapped, absent };
}

/** The relations that every record shows. */
const alwaysFields = (definition: RecordDefinition, style: Style): RelationField[] =>
  Object.entries(definition.rest.always ?? {}).map(([name, absent]) =>
    relationField(definition, name, { absent, wrapped: false, style }),
  );

function ownFields(definition: RecordDefinition, style: Style): PlainField[] {
  const isShown = ({ shown }: Field) => shown === 'everywhere' || (shown === 'all' && style === 'all');
  return plainFields(
    definition,
    Object.entries(definition.own).flatMap(([name, field]) => (isShown(field) ? [name] : [])),
  );
}

function plainFields(definition: RecordDefinition, names: readonly string[]): PlainField[] {
  return names.map((graphql) => {
    const field = definition.fields[graphql];
    if (!field) throw new Error(`${definition.model} has no field ${graphql}`);
    return { wire: field.wire, graphql, kind: field.kind };
  });
}

/** The relations that `expand` accepts, by wire name; those of lines after the lines: `line_items.item`. */
export function expandable({ relations, rest }: RecordDefinition): ReadonlyMap<string, string> {
  const names =
    rest.expand ?? Object.keys(relations).filter((name) => !Object.hasOwn(rest.always ?? {}, name));
  return new Map(
    names.flatMap((name): [string, string][] => {
      const relation = relations[name];
      if (!relation?.wire) return [];
      const below =
        relation.kind === 'lines' || relation.kind === 'linesOf'
          ? [...expandable(definitionOf(relation.target))]
          : [];
      return [
        [relation.wire, name],
        ...below.map(([wire, one]): [string, string] => [`${relation.wire}.${wire}`, `${name}.${one}`]),
      ];
    }),
  );
}

/** The values of `fields`, by wire name: what a record shows by default, and its deletion time. */
export const narrowable = (definition: RecordDefinition): ReadonlyMap<string, string> =>
  new Map(
    recordShape(definition, { style: 'v3', expand: [], select: [], includeDeleted: true }).map(({ wire }) => [
      wire,
      wire,
    ]),
  );
