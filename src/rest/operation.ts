import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type NameNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type TypedQueryDocumentNode,
  visit,
} from 'graphql';
import { lowerFirst } from '../base/names.js';
import type { RecordDefinition } from '../records/define.js';
import {
  RecordDocument,
  type RecordQueryVariables,
  RecordsDocument,
  type RecordsQuery,
  type RecordsQueryVariables,
  StatementsDocument,
  type StatementsQuery,
  type StatementsQueryVariables,
} from './__generated__/documents.js';
import { OWNER, type Shape } from './shape.js';

/**
 * The selection of a shape; aliases give the wire names, after a prefix where other shapes are beside it. A connection's
 * record is selected too, for an error to name.
 */
export function selectionText(shape: Shape, maxExpanded: number, prefix = ''): string {
  const fields = shape.map((field) => {
    const alias = prefix + field.wire;
    const name = alias === field.graphql ? alias : `${alias}: ${field.graphql}`;
    if (!('shape' in field)) return name;
    const below = selectionText(field.shape, maxExpanded);
    return field.kind === 'connection'
      ? `${name}(first: ${maxExpanded}) { nodes ${below} pageInfo { hasNextPage } }`
      : `${name} ${below}`;
  });
  const hasConnection = shape.some(({ kind }) => kind === 'connection');
  if (hasConnection && !shape.some(({ wire }) => wire === OWNER.wire)) {
    fields.push(`${prefix}${OWNER.wire}: ${OWNER.graphql}`);
  }
  return `{ ${fields.join(' ')} }`;
}

/** Optional parts of a list's answer. */
export interface ListParts {
  readonly count: boolean;
  readonly changePosition: boolean;
}

interface ListOperation extends ListParts {
  /** Whether to select page info, for `next` and `prev`. */
  readonly cursors: boolean;
}

type Page = Omit<RecordsQuery['page'], 'nodes'>;

/** A page as the operation of a list gives it; its records are for the writer of their shape. */
export interface ListResult {
  readonly page: Partial<Page> & { readonly nodes: readonly object[] };
}

/** Filters and orders are those of the record type, whichever it is. */
export type ListVariables = Omit<RecordsQueryVariables, 'filter' | 'orderBy'> & {
  readonly filter?: object | null;
  readonly orderBy?: readonly object[] | null;
};

/** The operation of a list. */
export function listOperation(
  { model, list }: RecordDefinition,
  selection: string,
  { cursors, count, changePosition }: ListOperation,
): TypedQueryDocumentNode<ListResult, ListVariables> {
  const without = new Set([
    ...(cursors ? [] : ['pageInfo']),
    ...(count ? [] : ['totalCount']),
    ...(changePosition ? [] : ['changePosition']),
  ]);
  return adapt(RecordsDocument, {
    names: { accounts: list, AccountFilter: `${model}Filter`, AccountOrderBy: `${model}OrderBy` },
    selections: { nodes: selection },
    without,
  });
}

/** The operation of one record. */
export function recordOperation(
  { model }: RecordDefinition,
  selection: string,
): TypedQueryDocumentNode<{ readonly record?: object | null }, RecordQueryVariables> {
  return adapt(RecordDocument, {
    names: { account: lowerFirst(model) },
    selections: { record: selection },
  });
}

/** The operation of a list of statements. */
export function statementOperation(
  list: string,
  selection: string,
): TypedQueryDocumentNode<StatementsQuery, StatementsQueryVariables> {
  return adapt(StatementsDocument, { names: { balanceSheets: list }, selections: { nodes: selection } });
}

/**
 * The document with `selection` in the place of `{ __typename }` of its field `record`: what is selected of a record
 * follows from its definition.
 */
export const withRecord = <Result, Variables>(
  document: TypedQueryDocumentNode<Result, Variables>,
  selection: string,
): TypedQueryDocumentNode<Result, Variables> => adapt(document, { selections: { record: selection } });

interface Adaptation {
  /** Other names of fields and of types. */
  readonly names?: Readonly<Record<string, string>>;
  /** Selection of a field in place of `__typename`, by its name in the answer. */
  readonly selections: Readonly<Record<string, string>>;
  /** Fields that are not asked for. */
  readonly without?: ReadonlySet<string>;
}

/** The caller types the result, as it knows what the other names stand for. */
function adapt<Document extends DocumentNode>(
  document: DocumentNode,
  { names = {}, selections, without }: Adaptation,
): Document {
  const rename = (name: NameNode): NameNode => ({ ...name, value: names[name.value] ?? name.value });
  const changed = visit(document, {
    NamedType: (type) => ({ ...type, name: rename(type.name) }),
    Field: {
      // On leave, not on enter: the replacement selection must not be visited.
      leave: ({ name, alias, ...field }) => {
        if (without?.has(name.value)) return null;
        const selection = selections[(alias ?? name).value];
        const selectionSet = selection === undefined ? field.selectionSet : both(field, selection);
        return { ...field, ...(alias ? { alias } : {}), name: rename(name), selectionSet };
      },
    },
  });
  return changed as Document;
}

/** The field's own selection followed by the given one. */
function both({ selectionSet }: Pick<FieldNode, 'selectionSet'>, text: string): SelectionSetNode {
  const own = selectionSet?.selections.filter((one) => !isTypename(one)) ?? [];
  return { kind: Kind.SELECTION_SET, selections: [...own, ...parseSelection(text).selections] };
}

const isTypename = (node: SelectionNode): boolean =>
  node.kind === Kind.FIELD && node.name.value === '__typename';

function parseSelection(text: string): SelectionSetNode {
  const [operation] = parse(text, { noLocation: true }).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`no selection: ${text}`);
  return operation.selectionSet;
}
