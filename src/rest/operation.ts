import { parse, type TypedQueryDocumentNode } from 'graphql';
import type { RecordDefinition } from '../records/define.js';
import type { Shape } from './shape.js';

/** The selection of a shape; aliases give the wire names, after a prefix where other shapes are beside it. */
export function selectionText(shape: Shape, mostExpanded: number, prefix = ''): string {
  const fields = shape.map((field) => {
    const alias = prefix + field.wire;
    const name = alias === field.graphql ? alias : `${alias}: ${field.graphql}`;
    if (!('shape' in field)) return name;
    const below = selectionText(field.shape, mostExpanded);
    return field.kind === 'connection'
      ? `${name}(first: ${mostExpanded}) { nodes ${below} pageInfo { hasNextPage } }`
      : `${name} ${below}`;
  });
  return `{ ${fields.join(' ')} }`;
}

/** What is asked of a list beyond its records. */
export interface ListParts {
  readonly count: boolean;
  readonly changePosition: boolean;
}

interface ListOperation extends ListParts {
  /** `next` and `prev` need to know where the page stands. */
  readonly cursors: boolean;
}

/** A page as the operation of a list gives it; its records are for the writer of their shape. */
interface ListResult {
  readonly page: {
    readonly nodes: readonly unknown[];
    readonly pageInfo?: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
    readonly totalCount?: number;
    readonly changePosition?: string;
  };
}

type Variables = Readonly<Record<string, unknown>>;

/** The operation of a list. */
export function listOperation(
  definition: RecordDefinition,
  selection: string,
  options: ListOperation,
): TypedQueryDocumentNode<ListResult, Variables> {
  const { model, list } = definition;
  const text = `query ($companyId: SvcId, $filter: ${model}Filter, $orderBy: [${model}OrderBy!], $includeDeleted: Boolean,
      $first: Int, $after: String, $last: Int, $before: String, $skip: Int) {
    page: ${list}(companyId: $companyId, filter: $filter, orderBy: $orderBy, includeDeleted: $includeDeleted,
      first: $first, after: $after, last: $last, before: $before, skip: $skip) {
      nodes ${selection}
      ${options.cursors ? 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }' : ''}
      ${options.count ? 'totalCount' : ''}
      ${options.changePosition ? 'changePosition' : ''}
    }
  }`;
  return typed(text);
}

/** The operation of one record. */
export function recordOperation(
  definition: RecordDefinition,
  selection: string,
): TypedQueryDocumentNode<{ readonly record: object | null }, { readonly svcId: number }> {
  const field = definition.model.charAt(0).toLowerCase() + definition.model.slice(1);
  const text = `query ($svcId: SvcId!) { record: ${field}(svcId: $svcId) ${selection} }`;
  return typed(text);
}

/** A statement as far as its list looks into it; the rest is for the writer of its shape. */
interface StatementsResult {
  readonly page: {
    readonly nodes: readonly {
      readonly svc_updated_at: string;
      readonly made_by: string;
      readonly made_of: number;
    }[];
  };
}

/** Statements come whole: how many there can be is limited elsewhere. */
const ALL = 2_147_483_647;

/** The operation of a list of statements. */
export function statementOperation(
  list: string,
  selection: string,
): TypedQueryDocumentNode<StatementsResult, Variables> {
  return typed(`query ($companyId: SvcId, $connectionId: SvcId, $integrationType: String, $periodStart: Date,
      $periodEnd: Date, $period: Int, $direction: OrderDirection, $source: StatementSource) {
    page: ${list}(companyId: $companyId, connectionId: $connectionId, integrationType: $integrationType,
      periodStart: $periodStart, periodEnd: $periodEnd, period: $period, direction: $direction, source: $source, first: ${ALL}) {
      nodes ${selection}
    }
  }`);
}

/** A document made here: its types are what its text selects. */
const typed = <Result, From>(text: string) =>
  parse(text, { noLocation: true }) as TypedQueryDocumentNode<Result, From>;
