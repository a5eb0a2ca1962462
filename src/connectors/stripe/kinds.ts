import { type PlatformClient, type PlatformObject } from '../platform.js';
import { textOf } from '../values/platform-values.js';

/** How objects of one kind are read. */
export interface StripeKind {
  /** The path of its list. */
  readonly path: string;
  /** The word in `object` of each. */
  readonly object: string;
  /** What ids begin with, where a record type is of several kinds; the last has all others. */
  readonly idPrefix?: string;
  /** Of every reading of the list. */
  readonly query?: Readonly<Record<string, string>>;
  /** Parts that are sent only if asked for. */
  readonly expand?: readonly string[];
  /** The types of events that tell of changes, at most twenty; without them changes show in no event. */
  readonly changes?: readonly string[];
  /** The type of the events that tell of deletions. */
  readonly deletion?: string;
  /** Objects have no time of creation, by which their list could be filtered. */
  readonly isUndated?: true;
  /** The id of the object that an event tells of, in the object of the event; null if it is none of these. */
  readonly idIn?: (object: PlatformObject) => string | null;
  /** What is missing in the objects of a page: the rest of their lines, ids of related objects. */
  readonly complete?: (client: PlatformClient) => Complete;
}

/** Completes objects in the order of their list, one page after the other. */
export type Complete = (objects: readonly PlatformObject[]) => Promise<readonly PlatformObject[]>;

/** The id of an event's object: of this kind, or one that names one of this kind. */
export function idIn({ object: word, idIn: own }: StripeKind, object: PlatformObject): string | null {
  if (own) return own(object);
  return textOf(object['object'] === word ? object['id'] : object[word]);
}

/** The parameters for a kind's parts: of the objects of a list, or of one object. */
export function expandQuery(
  { expand = [] }: StripeKind,
  prefix: 'data.' | '',
): Readonly<Record<string, string>> {
  return Object.fromEntries(expand.map((name, index) => [`expand[${index}]`, `${prefix}${name}`]));
}
