import { type PlatformObject } from '../platform.js';
import { textOf } from '../values/platform-values.js';
import { idOf } from './query.js';

/** How the objects of one entity are read. */
export interface QuickBooksKind {
  /** Its name in queries. */
  readonly entity: string;
  /** Objects with lines are long, others not. */
  readonly pageSize: number;
  /** A list of names, whose objects become inactive instead of being deleted. */
  readonly hasInactive?: true | undefined;
  /** One of several entities of a record type, whose Ids repeat: `customer:12`. */
  readonly isMarked?: true;
  /** Marked for another record type that is read with this one: here its Ids are the ids. */
  readonly hasBareIds?: true;
}

/** Where the entity is noted in an object whose record type has several. */
export const ENTITY = 'svc_entity';

export const listOfNames = (entity: string): QuickBooksKind => ({
  entity,
  pageSize: 1000,
  hasInactive: true,
});

export const transactions = (entity: string): QuickBooksKind => ({ entity, pageSize: 250 });

/** One of several entities of a record type. */
export const marked = (kind: QuickBooksKind): QuickBooksKind => ({ ...kind, isMarked: true });

/** A marked entity as the only one of another record type. */
export const alone = (kind: QuickBooksKind): QuickBooksKind => ({ ...kind, hasBareIds: true });

/** An object's id where its record type has several entities. */
export const markedId = (entity: string, id: string): string => `${entity.toLowerCase()}:${id}`;

/** Our id of a kind's object by QuickBooks' one. */
export const platformIdOf = ({ entity, isMarked, hasBareIds }: QuickBooksKind, id: string): string =>
  isMarked && !hasBareIds ? markedId(entity, id) : id;

/** The entity and our id of an object that notes its entity. */
export function markOf(object: PlatformObject): { readonly entity: string; readonly platformId: string } {
  const entity = textOf(object[ENTITY]) ?? '';
  return { entity, platformId: markedId(entity, idOf(object)) };
}

/** Our id of an object, which notes its entity if that is not the record type's main one. */
export const platformIdIn = (object: PlatformObject): string =>
  object[ENTITY] === undefined ? idOf(object) : markOf(object).platformId;

/** QuickBooks' id in one of ours; null if it is another kind's. */
export function ownIdOf(kind: QuickBooksKind, platformId: string): string | null {
  const prefix = platformIdOf(kind, '');
  return platformId.startsWith(prefix) ? platformId.slice(prefix.length) : null;
}

/** The condition without which a list of names has only those in use. */
export const existing = ({ hasInactive }: Pick<QuickBooksKind, 'hasInactive'>): readonly string[] =>
  hasInactive ? ['Active in (true, false)'] : [];
