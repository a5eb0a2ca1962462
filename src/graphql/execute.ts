import {
  type DocumentNode,
  execute as executeByReference,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { Context } from '../context.js';
import { isOutage, storedBefore } from '../db/database-error.js';
import { AppError } from '../errors.js';
import { isTraced, type SpanOptions, trace } from '../telemetry/traces.js';
import { compile, type Compiled } from './compile.js';
import { expandedSelections } from './document/expanded.js';
import { withWritten } from './document/plain-variables.js';

export interface Operation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The event of a subscription. */
  readonly rootValue?: unknown;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  /** Runs a validated operation. Field errors are in the result, as GraphQL has them. */
  run(operation: Operation, context: Context): Promise<ExecutionResult>;
  /** Compiles an operation immediately; for the service's own documents. */
  prepare(document: DocumentNode): void;
}

/**
 * Maximum selections of callers' compiled documents in the cache, each 1.5 KB; the least recently used document is
 * evicted.
 */
const MAX_KEPT_SELECTIONS = 30_000;

interface CompiledDocument {
  /** Its fragments written out. */
  readonly selections: number;
  readonly operations: Map<string, Compiled | null>;
}

/**
 * Executes by graphql-jit, with graphql-js as the reference and the fallback. A caller's document is compiled the
 * second time it is used, as callers could otherwise force compiling.
 */
export function createExecutor(schema: GraphQLSchema, options: { jit: boolean }): Executor {
  const own = new WeakMap<DocumentNode, Compiled>();
  const callers = new Map<DocumentNode, CompiledDocument>();
  let selections = 0;
  const seen = new WeakSet<DocumentNode>();

  const compiledFor = ({ document, operationName }: Operation): Compiled | null => {
    const mine = own.get(document);
    if (mine) return mine;
    let compiled = callers.get(document);
    if (compiled) callers.delete(document);
    else if (!seen.has(document)) {
      seen.add(document);
      return null;
    } else {
      // Larger ones are not compiled.
      const size = Math.min(expandedSelections(document), MAX_KEPT_SELECTIONS);
      compiled = { selections: size, operations: new Map() };
      selections += compiled.selections;
    }
    callers.set(document, compiled);
    for (const [oldest, { selections: given }] of callers) {
      if (selections <= MAX_KEPT_SELECTIONS || oldest === document) break;
      callers.delete(oldest);
      selections -= given;
    }
    const name = operationName ?? '';
    let query = compiled.operations.get(name);
    if (query === undefined) compiled.operations.set(name, (query = compile(schema, document, name)));
    return query;
  };

  return {
    schema,
    prepare: (document) => {
      const query = options.jit ? compile(schema, document, '') : null;
      if (query) own.set(document, query);
    },
    run: (operation, context) =>
      trace(...operationSpan(operation), async () => {
        const isMutation = mutates(operation);
        if (isMutation) context.held?.free();
        const work = start(
          schema,
          options.jit && operation.rootValue === undefined ? compiledFor(operation) : null,
          operation,
          context,
        );
        const result = await withinTime(work, isMutation, context);
        return isMutation ? afterMutations(result) : result;
      }),
  };
}

/** Maximum length of an operation name in logs and traces: callers choose these names. */
export const MAX_NAME = 100;

function operationSpan({ document, operationName }: Operation): [name: string, options: SpanOptions] {
  if (!isTraced()) return ['', {}];
  const operation = getOperationAST(document, operationName);
  const kind = operation?.operation ?? 'operation';
  const name = operation?.name?.value.slice(0, MAX_NAME);
  const attributes = {
    'graphql.operation.type': kind,
    ...(name === undefined ? {} : { 'graphql.operation.name': name }),
  };
  return [name === undefined ? kind : `${kind} ${name}`, { attributes }];
}

async function start(
  schema: GraphQLSchema,
  compiled: Compiled | null,
  operation: Operation,
  context: Context,
): Promise<ExecutionResult> {
  const { document, operationName, variables = {}, rootValue } = operation;
  if (compiled) {
    const { coerced, errors } = getVariableValues(schema, compiled.variableDefinitions, variables, {
      maxErrors: 5,
    });
    if (errors) return { errors };
    const given = withWritten(compiled.written, coerced);
    // graphql-js words the error if it does not fit.
    if (given) return await compiled.query(undefined, context, given);
  }
  return executeByReference({
    schema,
    document,
    rootValue,
    operationName,
    variableValues: variables,
    contextValue: context,
  });
}

const mutates = ({ document, operationName }: Operation): boolean =>
  getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;

/** A failed read below a completed mutation does not mean that nothing was stored. */
function afterMutations({ errors, ...result }: ExecutionResult): ExecutionResult {
  if (!errors) return result;
  const markStored = (error: GraphQLError): GraphQLError => {
    const { message, path = [], nodes = null } = error;
    const cause = causeOf(error);
    if (path.length < 2 || !isOutage(cause)) return error;
    return new GraphQLError(message, { path, nodes, originalError: storedBefore(cause) as Error });
  };
  return { ...result, errors: errors.map(markStored) };
}

async function withinTime<Result>(
  work: Promise<Result>,
  isMutation: boolean,
  { limits, ending, whenLeft }: Context,
): Promise<Result> {
  // Mutations may wait for a platform.
  const milliseconds = isMutation ? limits.mutationMilliseconds : limits.queryMilliseconds;
  const message = isMutation
    ? `the mutation took longer than ${milliseconds} ms; it may still be carried out`
    : `the query took longer than ${milliseconds} ms`;
  // A mutation is finished, and its result read, even if its caller has gone.
  const end = () => (isMutation ? undefined : ending.abort());
  const stay = whenLeft(end);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('query-timeout', message));
      end();
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    stay();
  }
}

/** The error behind a GraphQL error: what a resolver threw. */
export function causeOf(error: unknown): unknown {
  let cause: unknown = error;
  while (isGraphQLError(cause) && cause.originalError) cause = cause.originalError;
  return cause;
}

function isGraphQLError(error: unknown): error is GraphQLError {
  return error instanceof Error && 'originalError' in error;
}
