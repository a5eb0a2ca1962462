import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DefinitionNode, type FieldDefinitionNode, Kind, parse, print } from 'graphql';
import { packagePath } from '../../src/package-path.js';

/** A list in pages, a record that is read again by its id, and mutations whose payloads renew what is kept, or remove it. */
const SOURCES = {
  'accounts.js': `import { graphql } from 'react-relay';
graphql\`
  query accountsQuery($companyId: SvcId, $count: Int!, $cursor: String) {
    ...accountsList @arguments(companyId: $companyId, count: $count, cursor: $cursor)
  }
\`;
graphql\`
  fragment accountsList on Query
  @argumentDefinitions(companyId: { type: "SvcId" }, count: { type: "Int" }, cursor: { type: "String" })
  @refetchable(queryName: "accountsPageQuery") {
    accounts(companyId: $companyId, first: $count, after: $cursor) @connection(key: "accounts_accounts") {
      edges { node { id name parentAccount { id name } ...accounts_account } }
    }
  }
\`;
graphql\`
  fragment accounts_account on Account @refetchable(queryName: "accountsAccountQuery") {
    name
    currency { code }
  }
\`;`,
  'contact.js': `import { graphql } from 'react-relay';
graphql\`
  query contactQuery($svcId: SvcId!) {
    contact(svcId: $svcId) { ...contact_invoices }
  }
\`;
graphql\`
  fragment contact_invoices on Contact
  @argumentDefinitions(count: { type: "Int", defaultValue: 5 }, cursor: { type: "String" })
  @refetchable(queryName: "contactInvoicesQuery") {
    invoices(first: $count, after: $cursor) @connection(key: "contact_invoices") {
      edges { node { documentNumber lineItems { description } } }
    }
  }
\`;
graphql\`
  mutation contactMutation($input: UpdateContactsInput!) {
    updateContacts(input: $input) { results { record { id name } } userErrors { field message } }
  }
\`;
graphql\`
  mutation contactAnyMutation($input: WriteRecordsInput!) {
    writeRecords(input: $input) { results { record { id version } } }
  }
\`;`,
  'webhook.js': `import { graphql } from 'react-relay';
graphql\`
  mutation webhookMutation($input: DeleteWebhookInput!) {
    deleteWebhook(input: $input) { deletedId @deleteRecord userErrors { field message } }
  }
\`;`,
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-relay-'));
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, 'src', name), text);
  writeFileSync(join(folder, 'package.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The artifacts that relay-compiler makes with a schema, by name. */
function compile(schema: string): (artifact: string) => string {
  writeFileSync(join(folder, 'schema.graphql'), schema);
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'javascript',
    artifactDirectory: './out',
  };
  mkdirSync(join(folder, 'out'), { recursive: true });
  writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
  const binary = createRequire(import.meta.url)('relay-compiler') as string;
  // An installation without scripts may leave the bit out.
  chmodSync(binary, 0o755);
  execFileSync(binary, ['relay.config.json'], { cwd: folder, stdio: 'pipe' });
  return (artifact) => readFileSync(join(folder, 'out', `${artifact}.graphql.js`), 'utf8');
}

/** The schema with the field that the first query reads in an extension. */
function withExtension(schema: string): string {
  const definitions = parse(schema, { noLocation: true }).definitions.flatMap((type): DefinitionNode[] => {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION || type.name.value !== 'Query') return [type];
    const isMoved = ({ name }: FieldDefinitionNode) => name.value === 'accounts';
    const { fields = [] } = type;
    return [
      { ...type, fields: fields.filter((field) => !isMoved(field)) },
      { kind: Kind.OBJECT_TYPE_EXTENSION, name: type.name, fields: fields.filter(isMoved) },
    ];
  });
  return print({ kind: Kind.DOCUMENT, definitions });
}

describe('relay-compiler', () => {
  const schema = readFileSync(packagePath('schema.graphql'), 'utf8');

  test('makes pages and refetches of the schema', () => {
    const artifact = compile(schema);
    expect(artifact('accountsPageQuery')).toMatch(/accounts\(.*after: \$cursor/);
    expect(artifact('accountsPageQuery')).toContain('hasNextPage');
    expect(artifact('accountsAccountQuery')).toContain('node(id: $id)');
    expect(artifact('contactInvoicesQuery')).toMatch(/invoices\(.*first: \$count/);
    expect(artifact('webhookMutation')).toContain('"handle": "deleteRecord"');
    expect(artifact('contactMutation')).toContain('updateContacts(input: $input)');
  });

  test('asks the service for no field of an extension, which is why there is none', () => {
    const artifact = compile(withExtension(schema));
    expect(artifact('accountsPageQuery')).not.toMatch(/accounts\(.*after: \$cursor/);
  });
});
