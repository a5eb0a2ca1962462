import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { transformSync } from '@swc/core';

import { type Running, startProcess } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type Child = Running & { firstLine(): Promise<string> };

/** `src/db/embedded` and `src/db/migrations` compiled to a folder of their own, for tests that kill a process. */
export function compileDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-compiled-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const part of ['embedded', 'migrations']) compile(part, folder);
  return {
    /** Runs a module script in a process of its own; the parts are imported as './embedded/index.js' and so on. */
    run(script: string, ...args: string[]): Child {
      const file = join(folder, `script-${readdirSync(folder).length}.js`);
      writeFileSync(file, script);
      const child = startProcess([file, ...args]);
      const firstLine = async () => (await child.says('\n')).split('\n', 1).join();
      return { ...child, firstLine };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function compile(part: string, folder: string): void {
  const source = join(ROOT, 'src', 'db', part);
  mkdirSync(join(folder, part));
  for (const name of readdirSync(source)) {
    const { code } = transformSync(readFileSync(join(source, name), 'utf8'), {
      swcrc: false,
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    writeFileSync(join(folder, part, name.replace(/\.ts$/, '.js')), code);
  }
}
