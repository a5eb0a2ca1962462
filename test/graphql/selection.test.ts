import { describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLObjectType, type GraphQLResolveInfo, parse } from 'graphql';
import type { Context } from '../../src/context.js';
import { createExecutor } from '../../src/graphql/execute.js';
import { listNeed, recordNeed } from '../../src/graphql/selection.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import type { Need } from '../../src/loaders/loaders.js';
import { company, definitionOf } from '../../src/records/index.js';

const TYPES = `
  type Query { accounts: [Account] }
  type Account { company: Company list: AccountConnection }
  type AccountConnection { nodes: [Account] totalCount: Int }
  type Company { svcId: ID name: String }`;

/** The plans that the fields of two rows get in one execution. */
async function plansOf(jit: boolean, query: string) {
  const schema = buildSchema(TYPES);
  let plans: Need[] = [];
  const plan = (type: string, field: string, make: (info: GraphQLResolveInfo) => Need) => {
    const found = (schema.getType(type) as GraphQLObjectType).getFields()[field];
    if (!found) throw new Error(`there is no ${type}.${field}`);
    found.resolve = (_row, _args, _context, info) => {
      plans.push(make(info));
      return {};
    };
  };
  plan('Account', 'company', (info) => recordNeed(company, info));
  plan('Account', 'list', (info) => listNeed(definitionOf('Account'), info));
  const accounts = (schema.getType('Query') as GraphQLObjectType).getFields()['accounts'];
  if (accounts) accounts.resolve = () => [{}, {}];
  const executor = createExecutor(schema, { jit });
  const document = parse(query);
  executor.prepare(document);
  const context = { limits: DEFAULT_LIMITS, ending: new AbortController(), whenLeft: () => () => {} };
  return async (variables: Readonly<Record<string, unknown>>) => {
    plans = [];
    const { errors } = await executor.run({ document, variables }, context as unknown as Context);
    expect(errors).toBeUndefined();
    expect(plans).toHaveLength(2);
    return plans;
  };
}

describe.each([
  ['graphql-jit', true],
  ['graphql-js', false],
])('by %s, all rows of an execution share one plan', (_executor, jit) => {
  test.each([
    ['that variables decide', 'company { svcId name @include(if: $with) }'],
    ['that variables decide in a fragment', 'company { svcId ... @include(if: $with) { name } }'],
    ['of a field that is selected twice', 'company { svcId } company { name @skip(if: $without) }'],
  ])('%s', async (_title, selection) => {
    const run = await plansOf(
      jit,
      `query ($with: Boolean = true, $without: Boolean = false) { accounts { ${selection} } }`,
    );
    const columns = async (variables: object) => {
      const [first, second] = await run({ ...variables });
      expect(first).toBe(second);
      return [...(first?.columns ?? [])].sort();
    };
    for (const _again of [1, 2]) {
      expect(await columns({ with: true, without: false })).toEqual(['name', 'svcId']);
      expect(await columns({ with: false, without: true })).toEqual(['svcId']);
      expect(await columns({})).toEqual(['name', 'svcId']);
    }
  });

  test('of a list that variables decide', async () => {
    const run = await plansOf(
      jit,
      'query ($with: Boolean!) { accounts { list { nodes { __typename } totalCount @include(if: $with) } } }',
    );
    for (const totalCount of [true, false, true]) {
      const [first, second] = await run({ with: totalCount });
      expect(first).toBe(second);
      expect(first).toMatchObject({ totalCount });
    }
  });

  test('without variables in all executions', async () => {
    const run = await plansOf(jit, '{ accounts { company { name } } }');
    expect((await run({}))[0]).toBe((await run({}))[1]);
  });
});
