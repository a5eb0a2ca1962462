/** The cost of parts of a GraphQL operation towards `LIMIT_QUERY_COST`, beyond the records of its pages. */
interface Weight {
  readonly value: number;
  readonly about: string;
}

/** `docs/limits.md` is written from this table. A record counts 1. */
export const WEIGHT_TABLE = {
  totalCount: { value: 500, about: '`totalCount` of a list' },
  contains: { value: 500, about: 'a list with `contains` in its `filter`' },
  sort: {
    value: 500,
    about: 'a list sorted first by a field other than `SVC_ID`, `SVC_CREATED_AT` or `SVC_UPDATED_AT`',
  },
  skip: { value: 1, about: 'every 100 records of `skip`' },
  mapped: { value: 500, about: 'a list with `fields` or `customFields` in its `filter`' },
  mappedRecord: { value: 1, about: '`fields` or `customFields` of a record' },
  repeat: { value: 1, about: 'a value of a record that is selected again under another name' },
  capabilities: { value: 25, about: '`capabilities` of a connection' },
  syncSettings: { value: 5, about: '`syncSettings` of a connection' },
  mappingCheck: { value: 100, about: '`check` of a field mapping' },
  introspectedTypes: { value: 300, about: '`types` of `__schema`' },
  introspectedFields: { value: 5, about: '`fields` or `inputFields` of a type of the schema' },
  introspectedNames: {
    value: 2,
    about:
      '`args`, `enumValues`, `possibleTypes` or `interfaces` in introspection, `directives` of `__schema`',
  },
} as const satisfies Record<string, Weight>;

/** Records that one `skip` unit of the table represents. */
export const SKIPPED_PER_UNIT = 100;

/** Orders that an index serves. */
export const INDEXED_ORDERS: ReadonlySet<unknown> = new Set(['SVC_ID', 'SVC_CREATED_AT', 'SVC_UPDATED_AT']);

const { introspectedTypes, introspectedFields, introspectedNames } = WEIGHT_TABLE;

/** Weights of single fields, by type and field. */
export const FIELD_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['FieldMapping.check', WEIGHT_TABLE.mappingCheck.value],
]);

/** Weights of long lists without a page size, by type and field. */
export const UNPAGED_LISTS: ReadonlyMap<string, number> = new Map([
  ['ConnectedPlatform.capabilities', WEIGHT_TABLE.capabilities.value],
  ['ConnectedPlatform.syncSettings', WEIGHT_TABLE.syncSettings.value],
  ['__Schema.types', introspectedTypes.value],
  ['__Schema.directives', introspectedNames.value],
  ['__Type.fields', introspectedFields.value],
  ['__Type.inputFields', introspectedFields.value],
  ['__Type.enumValues', introspectedNames.value],
  ['__Type.possibleTypes', introspectedNames.value],
  ['__Type.interfaces', introspectedNames.value],
  ['__Field.args', introspectedNames.value],
  ['__Directive.args', introspectedNames.value],
]);
