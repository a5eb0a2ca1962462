// Writes .env.example: every setting in the README's table, as a comment with its default.
//   node scripts/env-example.js --check   writes nothing, exits with 1 if it is not current
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { check = false } = readArguments({ options: { check: { type: 'boolean' } } }).values;

const HEAD = `# Settings, as the README has them; written by \`npm run codegen\`. To set some, copy the file to .env and remove
# the # before their names. Where a value stands, it is the default.
`;

const target = join(root, '.env.example');
const wanted = [HEAD, ...settings().map(toText)].join('\n');
if (!existsSync(target) || readFileSync(target, 'utf8') !== wanted) {
  if (check) {
    process.stderr.write('.env.example is not current: run npm run codegen\n');
    process.exitCode = 1;
  } else writeFileSync(target, wanted);
}

/** Rows of the table. */
function settings() {
  const [, section = ''] =
    /\n## Settings\n([^]*?)\n## /.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) => {
    const [names = '', initial = '', about = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    return { names, initial, about };
  });
}

function toText({ names, initial, about }) {
  // Each platform has its own variable, named in the text.
  const variables = quoted(names.includes('<TYPE>') ? about : names).filter((name) =>
    /^[A-Z0-9_]+$/.test(name),
  );
  if (variables.length === 0) return `# ${plain(names)}: ${plain(about)}, ${plain(initial)}\n`;
  const values = quoted(initial);
  const isValue = (text) => /^[\d.]+$|^(true|false|on|off)$/.test(text);
  const fixed = isValue(initial)
    ? [initial]
    : initial === values.map((one) => `\`${one}\``).join(', ')
      ? values
      : [];
  const words = fixed.length > 0 || initial === 'none' ? '' : `; default: ${plain(initial)}`;
  const lines = variables.map((name, index) => `#${name}=${fixed[index] ?? ''}\n`);
  return `# ${plain(about)}${words}\n${lines.join('')}`;
}

/** Texts in backticks. */
function quoted(text) {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, inner]) => inner);
}

function plain(text) {
  return text.replaceAll('`', '').replace(/\[([^\]]+)\]\(([^)]*)\)/g, '$1 ($2)');
}
