import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';

/** What a client decides of each scalar: with `strictScalars` one that is forgotten is an error. */
const SCALARS = {
  DateTime: 'string',
  Date: 'string',
  Decimal: 'string',
  SvcId: 'number',
  JSON: 'unknown',
};

const SOURCE = `import { graphql } from './gql/index.js';

export const invoices = graphql(\`
  query Invoices($companyId: SvcId!, $after: String) {
    invoices(companyId: $companyId, first: 10, after: $after) {
      nodes { id svcId totalAmount postedDate svcUpdatedAt lineItems { quantity } contact { name } }
      pageInfo { hasNextPage endCursor }
    }
  }
\`);
type Result = NonNullable<ReturnType<NonNullable<typeof invoices.__apiType>>>;
type Invoice = Result['invoices']['nodes'][number];
const shown = ({ svcId, totalAmount, contact }: Invoice): [number, string | null | undefined, string | undefined] => [
  svcId,
  totalAmount,
  contact?.name ?? undefined,
];
export { shown };
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-codegen-'));
  symlinkSync(packagePath('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command says when it fails. */
function run(script: string, ...args: string[]): string {
  const command = [packagePath(`node_modules/${script}`), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    encoding: 'utf8',
    // As a test it would say nothing.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  return status === 0 ? '' : `failed: ${stdout}${stderr}`;
}

function generate(scalars: Readonly<Record<string, string>>): string {
  writeFileSync(join(folder, 'invoices.ts'), SOURCE);
  const client = {
    preset: 'client',
    config: { strictScalars: true, scalars, useTypeImports: true, emitLegacyCommonJSImports: false },
  };
  const config = {
    schema: packagePath('schema.graphql'),
    documents: 'invoices.ts',
    generates: { './gql/': client },
  };
  writeFileSync(join(folder, 'codegen.json'), JSON.stringify(config));
  return run('@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.json', '--verbose');
}

test("the codegen client preset makes a client's types with strict scalars, and they compile", () => {
  expect(generate(SCALARS)).toBe('');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  expect(run('typescript/bin/tsc', ...options, 'invoices.ts')).toBe('');
});

test('a scalar that the client forgot stops it', () => {
  const { Decimal: _forgotten, ...others } = SCALARS;
  expect(generate(others)).toContain('Unknown scalar type Decimal');
});
