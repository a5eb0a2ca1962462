import type { RecordDefinition } from '../records/define.js';
import type { Shape } from './shape.js';

/** The selection of a shape; aliases give the wire names. */
export function selectionText(shape: Shape, mostExpanded: number): string {
  const fields = shape.map((field) => {
    const name = field.wire === field.graphql ? field.wire : `${field.wire}: ${field.graphql}`;
    if (!('shape' in field)) return name;
    const below = selectionText(field.shape, mostExpanded);
    return field.kind === 'connection'
      ? `${name}(first: ${mostExpanded}) { nodes ${below} pageInfo { hasNextPage } }`
      : `${name} ${below}`;
  });
  return `{ ${fields.join(' ')} }`;
}

export interface ListOperation {
  readonly count: boolean;
  /** `next` and `prev` need to know where the page stands. */
  readonly cursors: boolean;
}

/** The prepared operation of a list. */
export function listOperationText(
  definition: RecordDefinition,
  selection: string,
  options: ListOperation,
): string {
  const { model, list } = definition;
  return `query ($companyId: SvcId, $filter: ${model}Filter, $orderBy: [${model}OrderBy!], $includeDeleted: Boolean,
      $first: Int, $after: String, $last: Int, $before: String, $skip: Int) {
    page: ${list}(companyId: $companyId, filter: $filter, orderBy: $orderBy, includeDeleted: $includeDeleted,
      first: $first, after: $after, last: $last, before: $before, skip: $skip) {
      nodes ${selection}
      ${options.cursors ? 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }' : ''}
      ${options.count ? 'totalCount' : ''}
    }
  }`;
}

/** The prepared operation of one record. */
export function recordOperationText(definition: RecordDefinition, selection: string): string {
  const field = definition.model.charAt(0).toLowerCase() + definition.model.slice(1);
  return `query ($svcId: SvcId!) { record: ${field}(svcId: $svcId) ${selection} }`;
}
