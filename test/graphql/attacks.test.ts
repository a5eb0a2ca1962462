import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { storeBooks } from '../support/books.js';

const T = (n: number, f: (i: number) => string) => Array.from({ length: n }, (_, i) => f(i)).join(' ');
let app: App;
let key: string;
beforeAll(async () => {
  app = await startApp();
  const acme = await createTenant(app, 'attacks');
  await storeBooks(acme);
  ({ key } = await createCaller(app, acme.organisationId));
});
afterAll(() => app.close());
const nest = (n: number) => `{ accounts(first: 1) { nodes ${'{ parentAccount '.repeat(n)}{ svcId }${' }'.repeat(n)} } }`;
const f20 = '{ contacts(first: 20) { nodes { invoices(first: 20) { nodes { contact { invoices(first: 20) { nodes { contact { invoices(first: 20) { nodes { svcId } } } } } } } } } } }';
const bombF = (n: number, leaf: string) => T(n, (i) => `fragment F${i} on Account { ...F${i + 1} ...F${i + 1} }`) + ` fragment F${n} on Account { ${leaf} }`;
const q: Record<string, string | object> = {
  ok: '{ accounts { nodes { svcId name } } }',
  dupArgs2: `{ accounts { nodes { ${'childAccounts { nodes { name } } '.repeat(480)} } } }`,
  filterWide: { query: 'query ($f: AccountFilter) { accounts(filter: $f) { totalCount } }', variables: { f: { or: Array.from({ length: 200000 }, () => ({ name: { eq: 'x' } })) } } },
  filterEmpties: { query: 'query ($f: AccountFilter) { accounts(filter: $f) { totalCount } }', variables: { f: { or: Array.from({ length: 500000 }, () => ({})) } } },
  filterIn: { query: 'query ($f: AccountFilter) { accounts(filter: $f) { totalCount } }', variables: { f: { name: { in: Array.from({ length: 500000 }, () => 'x') } } } },
  filterInBad: { query: 'query ($f: AccountFilter) { accounts(filter: $f) { totalCount } }', variables: { f: { name: { in: Array.from({ length: 500000 }, () => 1) } } } },
  filterUnknown: { query: 'query ($f: AccountFilter) { accounts(filter: $f) { totalCount } }', variables: { f: Object.fromEntries(Array.from({ length: 100000 }, (_, i) => [`v${i}`, i])) } },
  filterLiteral: `{ accounts(filter: ${'{ not: '.repeat(900)}{ name: { eq: "x" } }${'}'.repeat(900)}) { totalCount } }`,
  filterOrNest: `{ accounts(filter: ${'{ or: ['.repeat(600)}{ name: { eq: "x" } }${']}'.repeat(600)}) { totalCount } }`,
  default5mb: { query: `query ($a: String = "${'x'.repeat(5_000_000)}") { __typename }` },
  default99k: { query: `query ($a: String = "${'x'.repeat(99_000)}") { accounts(after: $a) { totalCount } }` },
  manyVars: { query: `query (${T(900, (i) => `$a${i}: Int`)}) { __typename }` },
  listType: { query: `query ($a: ${'['.repeat(1900)}Int${']'.repeat(1900)}) { __typename }` },
  listType2: { query: `query ($a: ${'['.repeat(1900)}Int${']'.repeat(1900)}) { accounts(first: $a) { totalCount } }` },
  listValue: { query: `{ accounts(first: ${'['.repeat(1900)}${']'.repeat(1900)}) { totalCount } }` },
  openString: '{ accounts(after: "' + 'x'.repeat(90_000),
  openBlock: '{ accounts(after: """' + '\n x'.repeat(30_000),
  blockIndent: '{ accounts(after: """' + '\n x'.repeat(30_000) + '""") { totalCount } }',
  ops1000: T(1000, (i) => `query Q${i} { __typename }`),
  ops660: { query: T(660, (i) => `query Q${i} { __typename }`), operationName: 'Q1' },
  schema100: `{ ${T(100, (i) => `a${i}: __schema { types { name } }`)} }`,
  schema20: `{ ${T(20, (i) => `a${i}: __schema { types { name fields { name type { name } } } }`)} }`,
  schemaInner: `{ __schema { ${T(200, (i) => `a${i}: types { name fields { name } }`)} } }`,
  schemaInnerFields: `{ __schema { types { ${T(200, (i) => `a${i}: fields { name }`)} } } }`,
  schemaWide: `{ __schema { types { fields { type { fields { name args { name type { name } } type { name } } } } } } }`,
  schemaWide2: `{ __schema { types { fields { args { type { inputFields { name type { name } } } } } } } }`,
  schemaWide3: `{ __schema { types { fields { type { ofType { ofType { ofType { fields { args { type { inputFields { name } } } } } } } } } } } }`,
  schemaCircular: `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
  suggestion: `{ ${T(1900, (i) => `acounts${i}`)} }`,
  unknownDeep: `{ accounts { nodes { ${T(1900, (i) => `nme${i}`)} } } }`,
  unknownArgs: `{ accounts(${T(1300, (i) => `fst${i}: 1`)}) { totalCount } }`,
  sameArgs: `{ accounts(${'first: 1 '.repeat(1300)}) { totalCount } }`,
  sameVars: `query (${'$a: Int '.repeat(900)}) { accounts(first: $a) { totalCount } }`,
  nodes100k: { query: 'query ($i: [ID!]!) { nodes(ids: $i) { id } }', variables: { i: Array.from({ length: 500000 }, () => 'x') } },
};
describe('x', () => {
  test('all', async () => {
    const out: string[] = [];
    for (const [name, x] of Object.entries(q)) {
      const body = typeof x === 'string' ? (x.startsWith('{"query"') ? x : JSON.stringify({ query: x })) : JSON.stringify(x);
      const ms: number[] = []; let last = '';
      for (let i = 0; i < 3; i += 1) {
        const t = performance.now();
        const c = new AbortController(); const timer = setTimeout(() => c.abort(), 30000);
        try {
          const r = await fetch(app.url + '/graphql', { method: 'POST', body, headers: { api_key: key, 'content-type': 'application/json' }, signal: c.signal });
          const text = await r.text();
          last = `${r.status} ${text.length} ${text.slice(0, 150)}`;
        } catch (e) { last = String(e) + String((e as Error).cause); }
        clearTimeout(timer);
        ms.push(Math.round(performance.now() - t));
      }
      out.push(`${name}: ${ms.join(',')} ${last}`);
      (await import('node:fs')).writeFileSync('/tmp/fz/attacks.txt', out.join('\n'));
    }
  }, 400000);
});
