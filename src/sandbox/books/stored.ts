import type { ObjectRow, StoredObject } from '../store/objects.js';
import { type BooksKind, rulesOf } from './kinds.js';
import type { BooksJournal, BooksObject } from './objects.js';

/** The number or code by which other objects refer to an object; unique within its kind. */
function numberOf(kind: BooksKind, object: BooksObject): string | null {
  const { number } = rulesOf(kind);
  // An entry posted for a document repeats the document's number.
  if ((object as Partial<BooksJournal>).Source) return null;
  const value = number === null ? null : (object as unknown as Record<string, unknown>)[number];
  return typeof value === 'string' ? value : null;
}

type Named = Pick<BooksObject, 'Guid'>;

/** The object that a file is attached to, or that a ledger entry was posted for. */
function parentOf(object: BooksObject): string | null {
  const { AttachedTo, Source } = object as {
    readonly AttachedTo?: Named | null;
    readonly Source?: Named | null;
  };
  return (AttachedTo ?? Source)?.Guid ?? null;
}

/** An object in the form in which it is stored. */
export const toStored = (kind: BooksKind, object: BooksObject): StoredObject => ({
  kind,
  id: object.Guid,
  body: JSON.stringify(object),
  number: numberOf(kind, object),
  marker: object.Reference ?? null,
  parent: parentOf(object),
});

/** Reads what `toStored` wrote. */
export const fromStored = <Kind extends BooksObject>({ body }: Pick<ObjectRow, 'body'>): Kind =>
  JSON.parse(body) as Kind;
