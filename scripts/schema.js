// Keeps the second half of schema.graphql current: the connection, edge, filter and order types, the metadata fields
// and the root fields that follow from the types written by hand in its first half.
//   node scripts/schema.js           rewrites the file
//   node scripts/schema.js --check   exits with 1 when it is not current
import { readFileSync, writeFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';

const FILE = new URL('../schema.graphql', import.meta.url);
const MARK = '# Everything below follows from the types above. `npm run codegen` writes it.\n';
const FILTERS = {
  String: 'StringFilter',
  Decimal: 'DecimalFilter',
  DateTime: 'DateTimeFilter',
  Date: 'DateFilter',
  SvcId: 'SvcIdFilter',
  Boolean: 'BooleanFilter',
};
const SORTED = new Set(['String', 'Decimal', 'DateTime', 'Date', 'SvcId']);

const named = (type) => (type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type));
const isList = (type) =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));
const implementsType = (type, name) => type.interfaces?.some((one) => one.name.value === name);
const lower = (name) => name[0].toLowerCase() + name.slice(1);
const plural = (name) => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`);
const words = (name) => name.replace(/(?<!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();

function render(handwritten) {
  const { definitions } = parse(handwritten);
  const enums = new Set(
    definitions.filter((d) => d.kind === Kind.ENUM_TYPE_DEFINITION).map((d) => d.name.value),
  );
  const types = definitions.filter((d) => d.kind === Kind.OBJECT_TYPE_DEFINITION);
  const record = definitions.find((d) => d.name?.value === 'Record');
  const listed = types.filter((type) => implementsType(type, 'Node'));
  const usedEnums = new Set(
    listed.flatMap((t) => t.fields.map((f) => named(f.type))).filter((n) => enums.has(n)),
  );
  return [
    ...[...usedEnums].map(enumFilter),
    ...listed.map((type) => listTypes(type, implementsType(type, 'Record') ? record.fields : [], enums)),
    rootFields(listed),
    companyFields(listed.filter((type) => implementsType(type, 'Record'))),
    ...types.flatMap(writeTypes),
    writeMutations(types),
    ...types.filter((type) => nestedIn(type).length > 0).map(nestedFields),
  ].join('\n');
}

const enumFilter = (name) => `"Conditions on a ${words(name)}. All of them must hold."
input ${name}Filter {
  "Equal to; null finds records without a value."
  eq: ${name}
  "Different from, records without a value included; null finds records with a value."
  ne: ${name}
  "One of these."
  in: [${name}!]
  "None of these, records without a value included."
  notIn: [${name}!]
  "Whether there is no value."
  isNull: Boolean
}
`;

function listTypes(type, common, enums) {
  const name = type.name.value;
  const fields = [...common, ...type.fields];
  const filters = fields.flatMap((field) => {
    if (field.arguments.length > 0 || field.name.value === 'rawData') return [];
    const leaf = named(field.type);
    const filter = isList(field.type)
      ? leaf === 'String' && 'StringListFilter'
      : (FILTERS[leaf] ?? (enums.has(leaf) && `${leaf}Filter`));
    return filter ? [{ name: field.name.value, filter }] : [];
  });
  const orders = fields.filter(
    (field) => !isList(field.type) && (SORTED.has(named(field.type)) || enums.has(named(field.type))),
  );
  const metadata = common.map(
    (field) => `  "${field.description.value}"\n  ${field.name.value}: ${print(field.type)}`,
  );
  const freshness = common.length > 0;
  return `${
    common.length > 0
      ? `extend type ${name} {\n  "Opaque global id."\n  id: ID!\n${metadata.join('\n')}\n}\n\n`
      : ''
  }"A page of ${words(plural(name))}."
type ${name}Connection {
  "The records of the page with their cursors."
  edges: [${name}Edge!]!
  "The records of the page."
  nodes: [${name}!]!
  "Where the page stands in its list."
  pageInfo: PageInfo!
  "How many records the whole list has. Counted only when asked for."
  totalCount: Int!${
    freshness
      ? `
  "When records were last read from the platform, where the list is one company's; the oldest of its connections."
  lastSyncedAt: DateTime`
      : ''
  }
}

"One ${words(name)} in a list."
type ${name}Edge {
  "The record."
  node: ${name}!
  "Where the record stands in this list and order."
  cursor: String!
}

"Conditions on ${words(plural(name))}. All of them must hold."
input ${name}Filter {
  "All of these hold."
  and: [${name}Filter!]
  "At least one of these holds."
  or: [${name}Filter!]
  "This does not hold."
  not: ${name}Filter
${filters.map((field) => `  "Conditions on ${field.name}."\n  ${field.name}: ${field.filter}`).join('\n')}
}

"One step of a sort order of ${words(plural(name))}."
input ${name}OrderBy {
  "What to sort by. Records without a value come last."
  field: ${name}OrderByField!
  "Which way."
  direction: OrderDirection! = ASC
}

"What ${words(plural(name))} can be sorted by."
enum ${name}OrderByField {
${orders.map((field) => `  "By ${field.name.value}."\n  ${field.name.value}`).join('\n')}
}
`;
}

const print = (type) =>
  type.kind === Kind.NON_NULL_TYPE
    ? `${print(type.type)}!`
    : type.kind === Kind.LIST_TYPE
      ? `[${print(type.type)}]`
      : type.name.value;

const listArguments = (name, more) => `(
${more}    "How many from the start."
    first: Int
    "Only after this cursor."
    after: String
    "How many from the end."
    last: Int
    "Only before this cursor."
    before: String
    "How many to skip; cursors are faster."
    skip: Int
    "Only records that fit."
    filter: ${name}Filter
    "Sort order; svcId ascending by default."
    orderBy: [${name}OrderBy!]
`;
const DELETED = `    "Whether deleted records are listed too."
    includeDeleted: Boolean = false
`;

const CONNECTED = `    "Only companies with such a connection."
    connected: ConnectedFilter
`;

const rootFields = (listed) => `extend type Query {
${listed
  .map((type) => {
    const name = type.name.value;
    const isRecord = implementsType(type, 'Record');
    const company =
      name === 'Company'
        ? CONNECTED
        : isRecord
          ? `    "Only records of this company."\n    companyId: SvcId\n`
          : '';
    const one = isRecord
      ? `(
    "Identifier in this service."
    svcId: SvcId
    "Company that the record belongs to; needed with platformId."
    companyId: SvcId
    "Identifier on the platform."
    platformId: String
  )`
      : `("Identifier in this service." svcId: SvcId!)`;
    return `  "${words(plural(name)).replace(/^./, (letter) => letter.toUpperCase())} of the organisation."
  ${lower(plural(name))}${listArguments(name, company)}${isRecord ? DELETED : ''}  ): ${name}Connection!
  "One ${words(name)}; null when there is no such record in this organisation."
  ${lower(name)}${one}: ${name}`;
  })
  .join('\n')}
}
`;

const companyFields = (records) => `extend type Company {
${records
  .map((type) => {
    const name = type.name.value;
    return `  "${words(plural(name)).replace(/^./, (letter) => letter.toUpperCase())} of the company."
  ${lower(plural(name))}${listArguments(name, '')}${DELETED}  ): ${name}Connection!`;
  })
  .join('\n')}
}
`;

/** The lists that `@nested` gives a type. */
const nestedIn = (type) =>
  type.directives
    .filter((directive) => directive.name.value === 'nested')
    .map((directive) =>
      Object.fromEntries(directive.arguments.map(({ name, value }) => [name.value, value.value])),
    );

const nestedFields = (type) => `extend type ${type.name.value} {
${nestedIn(type)
  .map(
    ({ field, of, about }) =>
      `  "${about}"\n  ${field}${listArguments(of, '')}${DELETED}  ): ${of}Connection!`,
  )
  .join('\n')}
}
`;

/** What `@writes` says of a type; null where it is only read. */
function writesOf(type) {
  const directive = type.directives.find((one) => one.name.value === 'writes');
  if (!directive) return null;
  const given = Object.fromEntries(directive.arguments.map(({ name, value }) => [name.value, value.value]));
  const name = type.name.value;
  const verbs = given.update ? ['create', 'update'] : ['create'];
  return { name, many: plural(name), input: given.input, verbs };
}

/** As wide as the formatter lets a line be. */
const WIDTH = 110;

const upper = (word) => word[0].toUpperCase() + word.slice(1);

function writeTypes(type) {
  const writes = writesOf(type);
  if (!writes) return [];
  const { name, many, input, verbs } = writes;
  const one = words(name);
  const inputs = verbs.map(
    (verb) => `"${upper(words(many))} to ${verb} at their platform."
input ${upper(verb)}${many}Input {
  "Comes back in the answer."
  clientMutationId: String
  "The company."
  companyId: SvcId!
  "The records, in the order in which they are sent; 1,000 at most."
  data: [${input}!]!
  "The connection; absent for the first healthy one of the record type's category."
  connectionId: SvcId
  "The platform, such as XERO; absent for any."
  integrationType: String
  "Answer at once and write afterwards; false when absent."
  runAsync: Boolean
  "Answer what would be sent and send nothing; false when absent."
  dryRun: Boolean
  "Refuse items that name records which are not known here; false when absent: they are warned of."
  strict: Boolean
  "The same key and the same records are written once, however often they are asked for; kept 30 days."
  idempotencyKey: String
}
`,
  );
  return [
    ...inputs,
    `"What came of one ${one} to write."
type ${name}WriteResult {
  "Identifier of the job: 15 letters and digits; null for what is only planned."
  jobId: String
  "Where it stands."
  status: UploadItemStatus!
  "Why it was not written; for one that is tried again, what came of the last attempt."
  error: WriteError
  "What is odd about it and does not keep it from being written."
  warnings: [String!]!
  "What would be sent, where it is only planned."
  request: PlannedRequest
  "The record as it is stored now, once it was written."
  record: ${name}
}

"What came of ${words(many)} to write."
type Write${many}Payload {
  "As it was sent."
  clientMutationId: String
  "The upload; null for a dry run, and when nothing was taken."
  upload: Upload
  "The connection that is written through; null when nothing was taken."
  connectionId: SvcId
  "Whether the key was used before: then this is what came of it."
  replayed: Boolean!
  "The items, in the order of the request."
  results: [${name}WriteResult!]!
  "Why nothing was taken; what is wrong with single items stands there."
  userErrors: [UserError!]!
}
`,
  ];
}

const writeMutations = (types) => `extend type Mutation {
${types
  .flatMap((type) => {
    const writes = writesOf(type);
    if (!writes) return [];
    const { many, verbs } = writes;
    return verbs.map((verb) => {
      const about = `What to ${verb}.`;
      const input = `input: ${upper(verb)}${many}Input!`;
      const field = `  ${verb}${many}("${about}" ${input}): Write${many}Payload!`;
      const shown =
        field.length <= WIDTH
          ? field
          : `  ${verb}${many}(\n    "${about}"\n    ${input}\n  ): Write${many}Payload!`;
      const does = verb === 'create' ? 'Creates' : 'Changes';
      return `  "${does} ${words(many)} at their platform. Needs the scope write."\n${shown}`;
    });
  })
  .join('\n')}
}
`;

const current = readFileSync(FILE, 'utf8');
const handwritten = current.split(MARK)[0].trimEnd();
const wanted = `${handwritten}\n\n${MARK}\n${render(handwritten)}`;
if (wanted === current) process.exit(0);
if (process.argv.includes('--check')) {
  console.error('schema.graphql is not current: run npm run codegen');
  process.exit(1);
}
writeFileSync(FILE, wanted);
