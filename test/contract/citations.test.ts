import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';
import { CONTRACT } from './reference.js';

const FOLDERS = ['src', 'test', 'bench', 'chaos', 'scripts', 'docs', 'prisma'];
const SECTION = String.raw`G?\d+(?:\.\d+)?`;
/** `Reference 4.3`, `Reference 2.2, G5`; also where a comment breaks the line behind the word. */
const CITATION = new RegExp(String.raw`\bReference[\s*/]+(${SECTION}(?:(?:, | and )${SECTION})*)`, 'g');
/** Documents that a reader of the repository cannot open. */
const PRIVATE = [
  /\b(?:contract|design|reliability|toolchain|spec|style)[\s*/]+(?:sections?[\s*/]+)?\d+(?:\.\d+)?\b/gi,
  /\b(?:contract|design|reliability|toolchain|spec|style|platforms)\.md\b/gi,
  /\breference[\s*/]+\d+\.\d+\b/g,
];

const reference = readFileSync(packagePath('docs/reference.md'), 'utf8');
const sections = new Set([...reference.matchAll(/^#{2,4} (G?\d+(?:\.\d+)?)\.? /gm)].map(([, name]) => name));

const texts = FOLDERS.flatMap((folder) =>
  readdirSync(packagePath(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|js|md|graphql|prisma|sql)$/.test(entry.name))
    .map((entry) => relative(packagePath('.'), join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)(?:node_modules|__generated__)\//.test(path))
    .map((path) => ({ path, text: readFileSync(packagePath(path), 'utf8') })),
);

describe('a citation', () => {
  test('of the reference leads to a section of docs/reference.md', () => {
    const cited = texts.flatMap(({ path, text }) =>
      [...text.matchAll(CITATION)].flatMap(([citation, list = '']) =>
        list.split(/, | and /).map((section) => ({ path, citation, section })),
      ),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
  });

  test('leads to nothing outside of the repository', () => {
    const found = texts.flatMap(({ path, text }) =>
      PRIVATE.flatMap((pattern) => [...text.matchAll(pattern)].map(([citation]) => ({ path, citation }))),
    );
    expect(found).toEqual([]);
  });
});

const KINDS: Readonly<Record<string, string>> = { time: 'timestamp' };

test.each(Object.values(CONTRACT))(
  'docs/reference.md has the fields of $path',
  ({ path, fields, expand }) => {
    const [, table = ''] = reference.split(`\`${path}\`, [field by field]`);
    const rows = [...(table.split(/^#/m)[0] ?? '').matchAll(/^\| (\S+) +\| (.*?) *\|$/gm)].map(
      ([, kind = '', names = '']) => ({ kind, names: names.match(/(?<=`)\w+(?=`)/g) ?? [] }),
    );
    const shown = rows
      .filter(({ kind }) => /^\w+$/.test(kind) && kind !== 'type')
      .flatMap(({ kind, names }) => names.map((name) => [name, KINDS[kind] ?? kind] as const));
    expect(Object.fromEntries(shown)).toEqual(fields);
    expect(rows.filter(({ kind }) => kind === '`expand`').flatMap(({ names }) => names)).toEqual(expand);
  },
);
