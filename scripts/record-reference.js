// Second half of docs/rest.md: the paths of every record type, from the definitions and the descriptions in
// schema.graphql.
import { Kind, parse } from 'graphql';
import { API_KEY, exchangesOf, withExchange } from './documented-requests.js';

const MARK = '<!-- Everything below follows from the record definitions. `npm run docs` writes it. -->\n';
const CATEGORIES = { ACCOUNTING: 'Accounting', PAYMENTS: 'Payments', ECOMMERCE: 'Ecommerce' };
const KINDS = {
  text: 'text',
  textList: 'list of texts',
  decimalNumber: 'number',
  decimalText: 'decimal as text',
  timestamp: 'time',
  date: 'day',
  boolean: 'boolean',
  svcId: 'number',
  json: 'JSON',
};
const RELATIONS = {
  one: 'one or null',
  referenced: 'list',
  many: 'list',
  lines: 'list',
  linesOf: 'list',
  embedded: 'object',
};

/**
 * The document with an updated reference of record types, which keeps the answers it had.
 * @param {string} document
 * @param {{ records: readonly any[], lineTypes: readonly any[], expandable: (definition: any) => ReadonlyMap<string, string>, schema: string }} from
 */
export function withRecordTypes(document, { records, lineTypes, expandable, schema }) {
  const descriptions = descriptionsOf(schema);
  const titles = new Map([...records, ...lineTypes].map(({ model, list }) => [model, titleOf(list)]));
  const sections = Object.entries(CATEGORIES).flatMap(([category, title]) => [
    `## ${title} records\n`,
    ...records
      .filter((definition) => definition.category === category)
      .map((definition) => recordSection(definition, { expandable, descriptions, titles })),
  ]);
  const lines = lineTypes.map((definition) => lineSection(definition, { descriptions, titles }));
  const overview = records.map(({ model, path, unversionedPath, dataModel }) => [
    linkTo(titles.get(model)),
    path === unversionedPath ? `\`${path}\`` : `\`${path}\`; \`${unversionedPath}\` with \`/all\``,
    `\`${dataModel}\``,
    descriptions.get(model),
  ]);
  const written = [
    document.split(MARK)[0].trimEnd(),
    '',
    MARK,
    '## Record types\n',
    table(
      ['records', 'path below `/v3/`, and below `/` with `/all`', 'data model', 'one of them is'],
      overview,
    ),
    ...sections,
    '## Lines\n',
    'What stands in lists inside a record. `expand` takes the relations of lines behind the name of the list:',
    '`expand=line_items.item` gives the lines, each with its item.\n',
    ...lines,
  ].join('\n');
  return withAnswersOf(exchangesOf(document), written);
}

/** Descriptions of types by name, and of fields by `Type.field`. */
function descriptionsOf(schema) {
  const descriptions = new Map();
  for (const definition of parse(schema).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION)
      continue;
    const type = definition.name.value;
    if (definition.description) descriptions.set(type, definition.description.value);
    for (const field of definition.fields ?? []) {
      descriptions.set(`${type}.${field.name.value}`, field.description?.value ?? '');
    }
  }
  return descriptions;
}

function recordSection(definition, { expandable, descriptions, titles }) {
  const { model, list, path, unversionedPath, relations } = definition;
  const expanding = expandable(definition);
  const related = Object.entries(relations).flatMap(([name, relation]) => {
    const place = placeOf(definition, expanding, name);
    if (place === '') return [];
    const about = descriptions.get(`${model}.${name}`) ?? '';
    return [[`\`${relation.wire}\``, typeOf(relation, titles), place, about]];
  });
  // Long lists have their own path.
  const expanded = [...expanding]
    .filter(([, name]) => name in relations && relations[name].kind !== 'many')
    .map(([wire]) => wire);
  const query = expanded.length > 0 ? `?expand=${expanded.join(',')}` : '';
  return [
    `### ${titleOf(list)}\n`,
    `${descriptions.get(model)} In GraphQL \`${list}\`.\n`,
    fieldTable(definition, { ...metadataOf(definition), ...definition.own }, descriptions),
    ...(related.length > 0 ? [table(['relation', 'type', 'comes with', 'what it is'], related)] : []),
    exchange(`GET /v3/${path}`, get(`/v3/${path}?limit=1`)),
    exchange(
      `GET /v3/${path}/{svc_id}`,
      get(`/v3/${path}/0${query}`),
      '<!-- svc_id from the answer above: data.0.svc_id -->\n\n',
    ),
    exchange(`POST /${unversionedPath}/all`, post(`/${unversionedPath}/all`, '{"take": 1}')),
  ].join('\n');
}

function lineSection(definition, { descriptions, titles }) {
  const { model, list, own, relations } = definition;
  const related = Object.entries(relations).flatMap(([name, relation]) =>
    relation.wire
      ? [[`\`${relation.wire}\``, typeOf(relation, titles), descriptions.get(`${model}.${name}`) ?? '']]
      : [],
  );
  return [
    `### ${titleOf(list)}\n`,
    `${descriptions.get(model)}\n`,
    fieldTable(definition, { ...metadataOf(definition), ...own }, descriptions),
    ...(related.length > 0 ? [table(['relation', 'type', 'what it is'], related)] : []),
  ].join('\n');
}

/** The metadata that this type shows beyond what every record shows. */
function metadataOf({ fields, rest }) {
  const pick = (names = [], shown) => names.map((name) => [name, { ...fields[name], ...shown }]);
  return Object.fromEntries([...pick(rest.metadata), ...pick(rest.allMetadata, { shown: 'all' })]);
}

function fieldTable({ model }, fields, descriptions) {
  const rows = Object.entries(fields)
    .filter(([, { shown }]) => shown === 'everywhere' || shown === 'all')
    .map(([name, field]) => {
      const about = descriptions.get(`${model}.${name}`) ?? '';
      const place = field.shown === 'all' ? ' Only on `.../all`.' : '';
      return [`\`${field.wire}\``, kindOf(field), about + place];
    });
  return table(['field', 'type', 'what it is'], rows);
}

/** The type of a relation, with a link to its section. */
function typeOf({ kind, target }, titles) {
  const title = titles.get(target);
  if (title === undefined) return RELATIONS[kind];
  return `${RELATIONS[kind]}: ${linkTo(title)}`;
}

const linkTo = (title) => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;

const kindOf = ({ kind, values }) =>
  values ? `one of ${values.map((value) => `\`${value}\``).join(' ')}` : KINDS[kind];

const titleOf = (list) =>
  list
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

/** Which answers include a relation. */
function placeOf({ rest, relations }, expandable, name) {
  if (Object.hasOwn(rest.always ?? {}, name)) return 'always';
  const places = [];
  if (expandable.has(relations[name].wire)) places.push('`expand`');
  if (rest.all?.includes(name)) places.push('`.../all`');
  return places.join(', ');
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const get = (target) => `curl -g -H 'api_key: ${API_KEY}' \\\n  'http://127.0.0.1:4000${target}'\n`;

const post = (target, body) =>
  `curl -H 'api_key: ${API_KEY}' -H 'content-type: application/json' \\\n  http://127.0.0.1:4000${target} -d '${body}'\n`;

const exchange = (title, request, inputs = '') =>
  `#### ${title}\n\n${inputs}\`\`\`sh\n${request}\`\`\`\n\n\`\`\`json\n\`\`\`\n`;

/** Keeps earlier answers of requests that are still the same. */
function withAnswersOf(earlier, document) {
  const isSame = (one, other) => one.request.replace(/\/\d+(?=[?'])/, '/0') === other.request;
  return exchangesOf(document).reduceRight((text, written) => {
    const found = earlier.find(({ heading }) => heading === written.heading);
    return written.answer === '' && found && isSame(found, written)
      ? withExchange(text, written, found)
      : text;
  }, document);
}
