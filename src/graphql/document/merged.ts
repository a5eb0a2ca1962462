import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import type { Limits } from '../../limits.js';
import { fragmentsOf } from './fragments.js';

/** A selection set, and the fragments that it is in. */
interface Part {
  readonly set: SelectionSetNode;
  readonly inside: readonly string[];
}

type MergeLimits = Pick<Limits, 'queryFragments' | 'queryFields' | 'selectionFields' | 'selectionRepeats'>;

/**
 * Why validating a document would take too long; null where it does not. Validation compares any two fields of the same
 * name in one selection, with fragments expanded and repeated fields merged: we do the same, but only count the pairs,
 * up to the limits.
 */
export function mergeRefusalOf(document: DocumentNode, limits: MergeLimits): string | null {
  const fragments = fragmentsOf(document);
  /** Parts that are joined to one selection each. Not by recursion: inline fragments may be thousands deep. */
  const waiting = document.definitions.flatMap((one): Part[][] =>
    one.kind === Kind.OPERATION_DEFINITION ? [[{ set: one.selectionSet, inside: [] }]] : [],
  );
  if (fragments.size > limits.queryFragments) {
    return `the query has ${fragments.size} fragments, at most ${limits.queryFragments} are allowed`;
  }
  let all = 0;
  for (let parts = waiting.pop(); parts; parts = waiting.pop()) {
    const named = new Map<string, { count: number; readonly below: Part[] }>();
    const spread = new Set<string>();
    let count = 0;
    for (let part = parts.pop(); part; part = parts.pop()) {
      const { set, inside } = part;
      for (const selection of set.selections) {
        if (selection.kind === Kind.INLINE_FRAGMENT) parts.push({ set: selection.selectionSet, inside });
        else if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const name = selection.name.value;
          const fragment = fragments.get(name);
          // A fragment that holds itself is refused by validation.
          if (!fragment || spread.has(name) || inside.includes(name)) continue;
          spread.add(name);
          parts.push({ set: fragment.selectionSet, inside: [...inside, name] });
        } else {
          const name = (selection.alias ?? selection.name).value;
          const same = named.get(name) ?? { count: 0, below: [] };
          named.set(name, same);
          same.count += 1;
          count += 1;
          all += 1;
          if (same.count > limits.selectionRepeats) {
            return `the query has ${name} more than ${limits.selectionRepeats} times in one selection`;
          }
          if (selection.selectionSet) same.below.push({ set: selection.selectionSet, inside });
        }
      }
      if (count > limits.selectionFields) {
        return `the query has more than ${limits.selectionFields} fields in one selection`;
      }
      if (all > limits.queryFields) {
        return `the query has more than ${limits.queryFields} fields, with its fragments written out`;
      }
    }
    for (const { below } of named.values()) if (below.length > 0) waiting.push(below);
  }
  return null;
}
