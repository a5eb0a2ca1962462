import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  specifiedRules,
  NoSchemaIntrospectionCustomRule,
  validate,
} from 'graphql';
import { type Context, renewContext } from '../context.js';
import { isTooSlow } from '../db/database-error.js';
import { type HeldPage, heldPage } from '../db/rows/held-pages.js';
import { AppError, invalid, isOverSoon, toAppError } from '../errors.js';
import type { Limits } from '../limits.js';
import { waitToRepeat } from '../operations/live/read-page.js';
import { operationCost } from './document/cost.js';
import { limitError, refusalOf } from './document/limits.js';
import { unconditionalRootRule } from './document/unconditional-root.js';
import { hasMoreValues, tooManyValues } from './document/variables.js';
import { formatExecutionError, formatRequestError } from './errors.js';
import { causeOf, type Executor, type Operation } from './execute.js';

interface SubscriptionOptions {
  readonly executor: Executor;
  readonly limits: Limits;
  readonly introspection: boolean;
}

/** A request for a subscription as it came. */
export interface SubscriptionRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** Results as they are sent: errors formatted as those of queries. */
export type SubscriptionResult = Pick<ExecutionResult, 'data'> & { readonly errors?: readonly object[] };

/** Runs subscriptions, whichever way they came. */
export interface Subscriptions {
  readonly schema: GraphQLSchema;
  /** The results of a subscription until the context is stopping. Throws a `RefusedSubscription`. */
  start(request: SubscriptionRequest, context: Context): Promise<AsyncGenerator<SubscriptionResult>>;
}

/** A refused subscription, with reasons in the form of a query's errors. */
export class RefusedSubscription extends Error {
  override readonly name = 'RefusedSubscription';
  constructor(readonly errors: readonly GraphQLFormattedError[]) {
    super('the subscription was refused');
  }
}

export function createSubscriptions({ executor, limits, introspection }: SubscriptionOptions): Subscriptions {
  const { schema } = executor;
  const rules = [
    ...specifiedRules,
    unconditionalRootRule,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  const check = ({ query, operationName, variables = {} }: SubscriptionRequest): Operation => {
    if (typeof query !== 'string') throw invalid('query', 'must be the text of a subscription');
    if (typeof variables !== 'object') throw invalid('variables', 'must be a JSON object');
    if (Buffer.byteLength(query) > limits.queryBytes) {
      throw limitError(`the query text is longer than ${limits.queryBytes} bytes`);
    }
    const document = parseQuery(query, limits);
    const refusal = refusalOf(document, limits);
    if (refusal) throw limitError(refusal);
    const errors = validate(schema, document, rules, { maxErrors: 5 });
    if (errors.length > 0) throw createRefusal(errors, 'GRAPHQL_VALIDATION_FAILED');
    const name = typeof operationName === 'string' ? operationName : null;
    const operation = getOperationAST(document, name);
    if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) {
      throw invalid(
        'query',
        'must be a subscription: send queries and mutations by POST /graphql, without `Accept: text/event-stream`',
      );
    }
    const values = (variables ?? {}) as Readonly<Record<string, unknown>>;
    if (hasMoreValues(Object.values(values), limits.variableValues)) {
      throw limitError(`variables ${tooManyValues(limits.variableValues)}`, 'variables');
    }
    const cost = operationCost({ schema, document, operation, variables: values, limits });
    if (cost > limits.queryCost) {
      throw limitError(`the subscription costs ${cost}, at most ${limits.queryCost} is allowed`);
    }
    return { document, operationName: name, variables: values };
  };
  return {
    schema,
    start: async (request, context) => {
      const operation = attempt(() => check(request));
      const asked = getOperationAST(operation.document, operation.operationName);
      context.tally.operation = asked?.name?.value ?? 'subscription';
      const source = await createSourceEventStream({
        schema,
        document: operation.document,
        operationName: operation.operationName,
        variableValues: operation.variables,
        contextValue: context,
      });
      if (!(Symbol.asyncIterator in source)) {
        throw new RefusedSubscription((source.errors ?? []).map((error) => formatExecution(error, context)));
      }
      return results(executor, operation, source as AsyncGenerator<readonly unknown[]>, context);
    },
  };
}

async function* results(
  executor: Executor,
  operation: Operation,
  source: AsyncGenerator<readonly unknown[]>,
  context: Context,
): AsyncGenerator<SubscriptionResult> {
  try {
    while (yield* resultsOfPage(executor, operation, source, context));
  } catch (error) {
    yield { errors: [formatExecution(error, context)] };
  } finally {
    await source.return(undefined);
  }
}

/**
 * Events of one page share a context: what they load is loaded together, and new for each page. A separate generator,
 * so that nothing of a page is retained while waiting for the next one. Returns whether there was one.
 */
async function* resultsOfPage(
  executor: Executor,
  operation: Operation,
  source: AsyncGenerator<readonly unknown[]>,
  context: Context,
): AsyncGenerator<SubscriptionResult, boolean> {
  const page = await source.next();
  if (page.done) return false;
  const made = await resultsOfEvents(executor, operation, page.value, context);
  if (!made) return false;
  try {
    for (const { data, errors } of made.result) {
      yield {
        data: data ?? null,
        ...(errors ? { errors: errors.map((error) => formatExecution(error, context)) } : {}),
      };
    }
  } finally {
    made.release();
  }
  return true;
}

const MAX_TIMEOUTS = 6;

/**
 * Waits out outages: clients continue behind the last position that they have seen, and would never get what an event
 * lacks. Null if the context stops first.
 */
async function resultsOfEvents(
  executor: Executor,
  operation: Operation,
  events: readonly unknown[],
  context: Context,
): Promise<HeldPage<readonly ExecutionResult[]> | null> {
  let timeouts = 0;
  /** A timeout may recur every time, unless the database hangs or its queue is long: only then retry. */
  const isPassing = (error: unknown): boolean => {
    const known = toAppError(error);
    if (known.code !== 'query-timeout') return isOverSoon(known);
    return !isTooSlow(error) && (timeouts += 1) < MAX_TIMEOUTS;
  };
  while (!context.stopping.aborted) {
    const { held, release } = context.pages.open();
    const own = renewContext(context, held);
    try {
      const made = await Promise.all(
        events.map((rootValue) => executor.run({ ...operation, rootValue }, own)),
      );
      const isComplete = !made.some(({ errors }) => errors?.some((error) => isPassing(causeOf(error))));
      if (isComplete) return heldPage(made, release);
      release();
    } catch (error) {
      release();
      if (!isPassing(error)) throw error;
    }
    await waitToRepeat(context.stopping);
  }
  return null;
}

const formatExecution = (error: unknown, { log }: Context): GraphQLFormattedError =>
  formatExecutionError(error, log, 'unexpected error in a subscription');

function parseQuery(query: string, limits: Limits): DocumentNode {
  try {
    return parse(query, { maxTokens: limits.queryTokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw createRefusal([error], 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}

/** Uses the error codes that Apollo uses for queries. */
const createRefusal = (errors: readonly GraphQLError[], code: string): RefusedSubscription =>
  new RefusedSubscription(
    errors.map((error) => formatRequestError({ ...error.toJSON(), extensions: { code } }, error)),
  );

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // Others are our own bugs.
    if (!(error instanceof GraphQLError || error instanceof AppError)) throw error;
    const formatted = error instanceof GraphQLError ? error.toJSON() : { message: error.message };
    throw new RefusedSubscription([formatRequestError(formatted, error)]);
  }
}
