import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from './fragments.js';

/**
 * How many selections a document has with every fragment expanded: the cost of compiling it. Linear in the size of the
 * text, although the number may be exponential.
 */
export function expandedSelections(document: DocumentNode): number {
  const fragments = fragmentsOf(document);
  const sizes = new Map<string, number>();

  const fragmentSize = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    sizes.set(name, 0);
    const size = sizeOf(fragments.get(name)?.selectionSet);
    sizes.set(name, size);
    return size;
  };
  const sizeOf = (set: SelectionSetNode | undefined): number => {
    let size = 0;
    for (const selection of set?.selections ?? []) {
      size +=
        1 +
        (selection.kind === Kind.FRAGMENT_SPREAD
          ? fragmentSize(selection.name.value)
          : sizeOf(selection.selectionSet));
    }
    return size;
  };

  return document.definitions.reduce(
    (sum, definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? sum + sizeOf(definition.selectionSet) : sum,
    0,
  );
}
