import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from './fragments.js';

/** Fields that belong to paging or introspection: they do not count as depth of their own. */
const PAGING = new Set(['edges', 'node', 'nodes', 'pageInfo']);

interface DocumentShape {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
}

/**
 * Depth, aliases and root fields of a document that is parsed but not yet validated. Linear in the size of the
 * text: a fragment is measured once, and one that holds itself ends there (validation refuses it later).
 */
export function measureDocument(document: DocumentNode): DocumentShape {
  const fragments = fragmentsOf(document);
  const depths = new Map<string, number>();
  let aliases = 0;

  const fragmentDepth = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    depths.set(name, 0);
    const fragment = fragments.get(name);
    const depth = fragment ? depthOf(fragment.selectionSet) : 0;
    depths.set(name, depth);
    return depth;
  };
  const depthOf = (set: SelectionSetNode | undefined): number => {
    let deepest = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        if (selection.alias) aliases += 1;
        const own = PAGING.has(name) ? 0 : 1;
        const below = depthOf(selection.selectionSet);
        deepest = Math.max(deepest, own + (name.startsWith('__') ? 0 : below));
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        deepest = Math.max(deepest, depthOf(selection.selectionSet));
      } else deepest = Math.max(deepest, fragmentDepth(selection.name.value));
    }
    return deepest;
  };

  let depth = 0;
  let rootFields = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    depth = Math.max(depth, depthOf(definition.selectionSet));
    rootFields = Math.max(rootFields, fieldsIn(definition.selectionSet, fragments, new Set()));
  }
  for (const name of fragments.keys()) fragmentDepth(name);
  return { depth, aliases, rootFields };
}

function fieldsIn(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  visited: Set<string>,
): number {
  let count = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) count += 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      count += fieldsIn(selection.selectionSet, fragments, visited);
    else if (!visited.has(selection.name.value)) {
      visited.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment) count += fieldsIn(fragment.selectionSet, fragments, visited);
    }
  }
  return count;
}
