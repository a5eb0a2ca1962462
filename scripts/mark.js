// Writes a platform's logo next to its connector, from Simple Icons.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readArguments } from './read-arguments.js';

const HELP = `Writes src/connectors/<platform>/mark.ts, the logo that the link page shows for a platform.

  npm run mark -- xero                the logo with that name in Simple Icons
  npm run mark -- books quickbooks    a logo with another name

Simple Icons has thousands of logos and is 26 MB, so it is fetched on demand and is not a dependency. Its files are in
the public domain (CC0 1.0); logos remain trademarks of their owners.
`;
/** An exact version, so that a logo can be written again unchanged. */
const SIMPLE_ICONS = '16.37.0';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = readArguments(
  {
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
  },
  HELP,
);
const [platform, slug = platform] = positionals;
if (values.help) process.stdout.write(HELP);
else if (platform === undefined) {
  process.stderr.write(`The name of a platform is missing.\n\n${HELP}`);
  process.exitCode = 1;
} else write(join(root, 'src/connectors', platform), slug);

function write(folder, slug) {
  const scratch = mkdtempSync(join(tmpdir(), 'mark-'));
  try {
    install(scratch);
    const file = join(folder, 'mark.ts');
    writeFileSync(file, sourceOf(basename(folder), readIcon(scratch, slug)));
    process.stdout.write(`${file}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function install(scratch) {
  const args = ['install', '--prefix', scratch, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const command = process.env.npm_execpath ? process.execPath : 'npm';
  const cli = process.env.npm_execpath ? [process.env.npm_execpath] : [];
  const { status } = spawnSync(command, [...cli, ...args, `simple-icons@${SIMPLE_ICONS}`], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`simple-icons ${SIMPLE_ICONS} could not be installed`);
}

function readIcon(scratch, slug) {
  const icons = join(scratch, 'node_modules/simple-icons');
  const known = JSON.parse(readFileSync(join(icons, 'data/simple-icons.json'), 'utf8'));
  const icon = known.find((one) => one.slug === slug);
  if (!icon) throw new Error(`Simple Icons has no ${slug}: the link page shows initials`);
  const svg = readFileSync(join(icons, `icons/${slug}.svg`), 'utf8');
  const path =
    /^<svg role="img" viewBox="0 0 24 24"[^>]*><title>[^<]*<\/title><path d="([^"]+)"\/><\/svg>$/.exec(
      svg,
    )?.[1];
  if (path === undefined) throw new Error(`the mark of ${slug} is more than one path`);
  return { colour: `#${icon.hex}`, path };
}

function sourceOf(platform, { colour, path }) {
  return `// Written by \`npm run mark\`, from Simple Icons ${SIMPLE_ICONS} (CC0 1.0).
import type { PlatformMark } from '../connector.js';

export const ${platform}Mark: PlatformMark = {
  colour: '${colour}',
  path: '${path}',
};
`;
}
