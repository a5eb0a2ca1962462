import { type ASTVisitor, type DocumentNode, GraphQLError, type ValidationContext } from 'graphql';
import type { Limits } from '../../limits.js';
import { mergeRefusalOf } from './merged.js';
import { measureDocument } from './walk.js';

/** Why a document may not run, as a message to its author; null if it may. */
export function refusalOf(document: DocumentNode, limits: Limits): string | null {
  const { depth, aliases, rootFields } = measureDocument(document);
  if (depth > limits.queryDepth) return `the query is ${depth} deep, at most ${limits.queryDepth} is allowed`;
  if (aliases > limits.queryAliases) {
    return `the query has ${aliases} aliases, at most ${limits.queryAliases} are allowed`;
  }
  if (rootFields > limits.queryRootFields) {
    return `the query has ${rootFields} root fields, at most ${limits.queryRootFields} are allowed`;
  }
  return mergeRefusalOf(document, limits);
}

/** `field` names the input at fault, where it is not the document. */
export function limitError(message: string, field?: string): GraphQLError {
  return new GraphQLError(message, { extensions: { limit: field ?? true, http: { status: 400 } } });
}

const refusals = new WeakMap<DocumentNode, string>();

/**
 * A document to validate in place of a refused one: full validation of a hostile document is the very work that the
 * limits prevent. `refusedDocumentRule` reports the refusal.
 */
export function standInFor(refusal: string): DocumentNode {
  const standIn = { kind: 'Document', definitions: [] } as unknown as DocumentNode;
  refusals.set(standIn, refusal);
  return standIn;
}

export function refusedDocumentRule(context: ValidationContext): ASTVisitor {
  return {
    Document: (document) => {
      const refusal = refusals.get(document);
      if (refusal) context.reportError(limitError(refusal));
    },
  };
}
