import type { FieldKind } from '../records/fields.js';
import type { RecordDefinition } from '../records/define.js';
import { definitionOf } from '../records/index.js';
import type { Relation } from '../records/relations.js';

/**
 * How one object looks on the wire: which GraphQL fields it selects, under which names, written how. Both the
 * prepared GraphQL operation and the writer of the answer are made from it.
 */
export type Shape = readonly ShapeField[];

export type ShapeField = PlainField | RelationField;

export interface PlainField {
  readonly wire: string;
  readonly graphql: string;
  readonly kind: FieldKind;
}

export interface RelationField {
  readonly wire: string;
  readonly graphql: string;
  readonly kind: 'object' | 'list' | 'connection';
  readonly shape: Shape;
  /** `.../all` puts relations into `{data: ...}` (reference 2.3). */
  readonly wrapped: boolean;
  /** What stands for an absent object. */
  readonly absent: 'null' | '{}';
}

/** The two documented styles: cursor lists on `/v3`, and POST `.../all`. */
export type Style = 'v3' | 'all';

export interface ShapeOptions {
  readonly style: Style;
  /** Relations to expand, by GraphQL name. */
  readonly expand: readonly string[];
  /** Metadata to add: `rawData`, `dataHash` (reference 4.3, select). */
  readonly select: readonly string[];
  readonly includeDeleted: boolean;
}

const V3_METADATA = ['svcId', 'svcCompanyId', 'svcCreatedAt', 'svcUpdatedAt', 'platformId'];
/** Reference 2.2: present on `.../all` records. */
const ALL_METADATA = [...V3_METADATA, 'svcIntegrationType', 'svcOrganisationId'];

/** The shape of a record in an answer; presence rules of design section 5. */
export function recordShape(definition: RecordDefinition, options: ShapeOptions): Shape {
  const { rest, relations } = definition;
  const all = options.style === 'all';
  const metadata = new Set([
    ...(all ? ALL_METADATA : V3_METADATA),
    ...(rest.metadata ?? []),
    ...(all ? (rest.allMetadata ?? []) : []),
    ...(options.includeDeleted ? ['svcDeletedAt'] : []),
    ...options.select,
  ]);
  const always = Object.entries(rest.always ?? {});
  const expanded = all ? (rest.all ?? []) : options.expand;
  return [
    ...plainFields(definition, [...metadata]),
    ...ownFields(definition),
    ...always.map(([name, absent]) => relationField(name, relations[name], all, absent)),
    ...expanded.map((name) => relationField(name, relations[name], all, 'null')),
  ];
}

function relationField(
  name: string,
  relation: Relation | undefined,
  all: boolean,
  absent: 'null' | '{}',
): RelationField {
  if (!relation) throw new Error(`there is no relation ${name}`);
  const target = definitionOf(relation.target);
  const metadata = target.role === 'line' ? ['svcId', 'platformId'] : V3_METADATA;
  const kinds = { one: 'object', referenced: 'list', lines: 'list', many: 'connection' } as const;
  return {
    wire: relation.wire,
    graphql: name,
    kind: kinds[relation.kind],
    shape: [...plainFields(target, metadata), ...ownFields(target)],
    // `parent_account` is an object in both styles, empty when there is none.
    wrapped: all && absent === 'null',
    absent,
  };
}

function ownFields(definition: RecordDefinition): PlainField[] {
  return plainFields(
    definition,
    Object.keys(definition.own).filter((name) => definition.own[name]?.rest),
  );
}

function plainFields(definition: RecordDefinition, names: readonly string[]): PlainField[] {
  return names.map((graphql) => {
    const field = definition.fields[graphql];
    if (!field) throw new Error(`${definition.model} has no field ${graphql}`);
    return { wire: field.wire, graphql, kind: field.kind };
  });
}

/** The relations that `expand` takes, by wire name. */
export function expandable(definition: RecordDefinition): ReadonlyMap<string, string> {
  const always = definition.rest.always ?? {};
  return new Map(
    Object.entries(definition.relations)
      .filter(([name]) => !Object.hasOwn(always, name))
      .map(([name, relation]) => [relation.wire, name]),
  );
}
