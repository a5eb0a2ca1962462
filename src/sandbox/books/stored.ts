import type { ObjectRow, StoredObject } from '../store/objects.js';
import { type BooksKind, rulesOf } from './kinds.js';
import type { BooksObject } from './objects.js';

/** The number or code by which others name an object, and which no other of its kind has. */
export function numberOf(kind: BooksKind, object: BooksObject): string | null {
  const { number } = rulesOf(kind);
  const value = number === null ? null : (object as unknown as Record<string, unknown>)[number];
  return typeof value === 'string' ? value : null;
}

/** What a file is attached to. */
export function parentOf(object: BooksObject): string | null {
  return 'AttachedTo' in object ? (object.AttachedTo as { readonly Guid: string }).Guid : null;
}

/** An object as it is stored. */
export const toStored = (kind: BooksKind, object: BooksObject): StoredObject => ({
  kind,
  id: object.Guid,
  body: JSON.stringify(object),
  number: numberOf(kind, object),
  marker: object.Reference ?? null,
  parent: parentOf(object),
});

/** What `toStored` wrote. */
export const fromStored = <Kind extends BooksObject>({ body }: Pick<ObjectRow, 'body'>): Kind =>
  JSON.parse(body) as Kind;
