// `npm run check:rows`: see --help.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { readArguments } from './read-arguments.js';

const HELP = `Compares the rows returned by SQL statements in the tests with their types in the code:
missing or extra columns, values of another type, undeclared nulls, words outside a closed set.

  npm run check:rows                    the whole suite
  npm run check:rows -- test/events     only tests in these paths, as for npm test
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = readArguments(
  { options: { help: { type: 'boolean' } }, allowPositionals: true },
  HELP,
);
if (values.help) process.stdout.write(HELP);
else process.exitCode = compare(collect(positionals));

/** Runs tests and collects the answers of each call: by place, column and kind of value. */
function collect(patterns) {
  const folder = mkdtempSync(join(tmpdir(), 'row-facts-'));
  const file = join(folder, 'facts');
  writeFileSync(file, '');
  try {
    const args = [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      '--stack-trace-limit=30',
    ];
    const jest = [
      join(root, 'node_modules/jest/bin/jest.js'),
      '--setupFiles',
      './test/support/row-facts.ts',
      '--',
    ];
    const env = { ...process.env, ROW_FACTS: file };
    const { status } = spawnSync(process.execPath, [...args, ...jest, ...patterns], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
    return readFacts(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readFacts(text) {
  const sites = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const [site, column, kind] = line.split('\t');
    const columns = entry(sites, site, () => new Map());
    entry(columns, column, () => new Set()).add(kind);
  }
  return sites;
}

function entry(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

/** Returns 1 if something differs. */
function compare(sites) {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const seen = new Set();
  const differences = [];
  for (const [site, columns] of sites) {
    const call = callAt(program, site);
    const type = call?.typeArguments?.[0] && checker.getTypeFromTypeNode(call.typeArguments[0]);
    if (!type) continue;
    seen.add(call);
    differences.push(...differencesOf(checker, type, columns).map((text) => `${placeOf(call)} ${text}`));
  }
  const all = program.getSourceFiles().filter(isOurs).flatMap(typedCalls);
  const unseen = all.filter((call) => !seen.has(call)).map(placeOf);
  for (const line of differences.sort()) process.stdout.write(`${line}\n`);
  process.stdout.write(
    `Row types: ${seen.size} statements compared, ${differences.length} differences. ` +
      `No rows were seen of ${unseen.length}:\n${unseen.map((place) => `  ${place}\n`).join('')}`,
  );
  return differences.length > 0 ? 1 : process.exitCode;
}

function isOurs({ fileName }) {
  return relative(root, fileName).startsWith('src/') && !fileName.includes('__generated__');
}

function isQuery(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return ['rows', 'quickRows', 'query'].includes(node.expression.name.text);
}

function placeOf(call) {
  const file = call.getSourceFile();
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(call.getStart()).line + 1}`;
}

/** The innermost query call at a position from a stack trace. */
function callAt(program, site) {
  const [path, line, column] = site.split(':');
  const file = program.getSourceFile(join(root, 'src', path));
  if (!file) return null;
  const position = file.getLineStarts()[line - 1] + Number(column) - 1;
  let found = null;
  const look = (node) => {
    if (position < node.getStart() || position >= node.end) return;
    if (isQuery(node)) found = node;
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

function typedCalls(file) {
  const calls = [];
  const look = (node) => {
    if (isQuery(node) && node.typeArguments) calls.push(node);
    ts.forEachChild(node, look);
  };
  look(file);
  return calls;
}

function differencesOf(checker, type, columns) {
  // The caller declares the rest.
  const isOpen = (type.isIntersection() ? type.types : [type]).some(
    (part) =>
      part.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Unknown) ||
      checker.getIndexInfosOfType(part).length > 0,
  );
  const declared = new Map(checker.getPropertiesOfType(type).map((property) => [property.name, property]));
  const lacking = [...declared.values()].filter(
    ({ name, flags }) => !columns.has(name) && !(flags & ts.SymbolFlags.Optional),
  );
  return [
    ...lacking.map(({ name }) => `${name} is declared and no column`),
    ...[...columns].flatMap(([column, kinds]) => {
      const property = declared.get(column);
      if (!property) return isOpen ? [] : [`${column} is a column and not declared`];
      const allowed = checker.getTypeOfSymbol(property);
      return [...kinds]
        .filter((kind) => !isAllowed(checker, allowed, kind))
        .map((kind) => `${column} was ${kind} and is declared ${checker.typeToString(allowed)}`);
    }),
  ];
}

function isAllowed(checker, type, kind) {
  const {
    Any,
    Unknown,
    TypeParameter,
    Null,
    StringLiteral,
    StringLike,
    NumberLike,
    BooleanLike,
    Object: Thing,
  } = ts.TypeFlags;
  if (type.isUnion()) return type.types.some((part) => isAllowed(checker, part, kind));
  // A branded type: `string & { readonly brand }`.
  if (type.isIntersection()) return type.types.some((part) => isAllowed(checker, part, kind));
  const { flags } = type;
  if (flags & (Any | Unknown | TypeParameter)) return true;
  if (kind === 'null') return (flags & Null) !== 0;
  if (kind.startsWith('string'))
    return flags & StringLiteral ? kind === `string ${type.value}` : (flags & StringLike) !== 0;
  if (kind === 'number') return (flags & NumberLike) !== 0;
  if (kind === 'boolean') return (flags & BooleanLike) !== 0;
  if (kind === 'array') return checker.isArrayLikeType(type);
  return (
    (flags & Thing) !== 0 &&
    (kind === 'Date') === (type.symbol?.name === 'Date') &&
    !checker.isArrayLikeType(type)
  );
}
