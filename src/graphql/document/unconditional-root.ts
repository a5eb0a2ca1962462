import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type ValidationContext,
} from 'graphql';

const CONDITIONS = new Set(['skip', 'include']);

/**
 * The root field of a subscription must not be conditional (GraphQL, September 2025, 5.2.4.1): without it there is
 * nothing to subscribe to.
 */
export function unconditionalRootRule(context: ValidationContext): ASTVisitor {
  const visited = new Set<string>();
  const check = (selection: SelectionNode): void => {
    const condition = selection.directives?.find(({ name }) => CONDITIONS.has(name.value));
    if (condition) {
      const message = `the root field of a subscription must not have @${condition.name.value}`;
      context.reportError(new GraphQLError(message, { nodes: condition }));
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) selection.selectionSet.selections.forEach(check);
    if (selection.kind !== Kind.FRAGMENT_SPREAD || visited.has(selection.name.value)) return;
    visited.add(selection.name.value);
    context.getFragment(selection.name.value)?.selectionSet.selections.forEach(check);
  };
  return {
    OperationDefinition: ({ operation, selectionSet }) => {
      if (operation === OperationTypeNode.SUBSCRIPTION) selectionSet.selections.forEach(check);
    },
  };
}
