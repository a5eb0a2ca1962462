import type { RecordDefinition, ValuesOf } from '../records/define.js';
import type { PlatformClient, PlatformObject } from './platform.js';

/** Lookups in records pulled earlier, for platforms that use codes where we store ids. */
export interface Lookups {
  /** The platform id of the record of `dataModel` whose `field` is `value`; null when there is none yet. */
  platformIdOf(dataModel: string, field: string, value: string): string | null;
  /** ISO code of the company's base currency, if known. */
  readonly baseCurrency: string | null;
}

/** A kind of lookup: by this field of this record type. */
export interface LookupNeed {
  readonly dataModel: string;
  readonly field: string;
}

/** A platform object in our terms. */
export interface UnifiedRecord<Definition extends RecordDefinition = RecordDefinition> {
  /** Unique per connection and record type. */
  readonly platformId: string;
  readonly platformUniqueId?: string | null;
  /** The platform's own version, if it has one. */
  readonly version?: string | null;
  /** The platform reports it as deleted. */
  readonly deleted?: boolean;
  /** A code in it could not be resolved yet. */
  readonly unresolved?: boolean;
  readonly values: ValuesOf<Definition>;
  /** Lines by relation name, in order. */
  readonly lines?: Readonly<Record<string, readonly UnifiedLine[]>>;
}

export interface UnifiedLine<Definition extends RecordDefinition = RecordDefinition> {
  /** The platform's id of the line; without one, the store makes it from parent and position. */
  readonly platformId: string | null;
  readonly values: ValuesOf<Definition>;
}

/**
 * One page of a pull. `cursor` resumes after it; null on the last page. One object is one record: if a platform object
 * becomes several records, each is a separate object with the data that it needs from the whole.
 */
export interface PulledPage {
  readonly objects: readonly PlatformObject[];
  readonly cursor: string | null;
  /** Platform objects all of whose parts are on this page: other stored parts of them are gone. */
  readonly wholes?: readonly string[];
  /** Prefixes of ids of records that could not be listed, as the platform refused them: stored ones stay. */
  readonly unlisted?: readonly string[];
}

export interface PullOptions {
  /** Only what changed since then; null for everything. Resources that are not incremental read everything anyway. */
  readonly since: Date | null;
  /** Where an earlier, interrupted pull stopped. */
  readonly cursor: string | null;
}

/** One page of ids: of deleted records, or of all existing ones. */
export interface IdPage {
  readonly platformIds: readonly string[];
  /** Of a sweep: existing platform objects whose stored parts (`partOf`) live, where only reading each would tell their ids. */
  readonly wholes?: readonly string[];
  readonly cursor: string | null;
  readonly isCut?: never;
  /** On the first page of a sweep: the platform shows this app only some of its objects, so nothing is deleted. */
  readonly isPartial?: true;
}

/** One page of ids of a feed that may leave out some. */
export interface CuttableIdPage extends Omit<IdPage, 'isCut'> {
  /** On the last page, if others are left out: the record type's sweep runs after it, too. */
  readonly isCut?: true;
}

/**
 * A method of finding deleted records that no object reports. `feed`: the platform lists deletions since a time.
 * `moves`: it lists, elsewhere, objects that have since changed their type. `sweep`: it lists the ids of all existing
 * objects; missing ones are deleted. Without a feed or a sweep, a complete pull finds them.
 */
export interface Deletions<Page extends CuttableIdPage = IdPage> {
  readonly kind: 'feed' | 'moves' | 'sweep';
  /** How many days back a feed reaches: after a longer gap a sweep runs, or everything is read. */
  readonly reachDays?: number;
  /** A sweep lists `wholes`: what a whole has lost, complete pulls tell, too. */
  readonly ofWholes?: true;
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<Page>;
}

export interface Sweep extends Deletions {
  readonly kind: 'sweep';
}

/** Feeds that may leave out some deletions, and the sweep that finds these. */
export type CuttableDeletions = readonly [...Deletions<CuttableIdPage>[], Sweep];

/** Reads objects by their ids in one call. Record types with the same value share its results within a sync. */
export interface ReadByIds {
  /** Maximum ids; with more, changes are listed instead. */
  readonly most: number;
  /** The existing objects, of any record type, by their ids. */
  read(client: PlatformClient, platformIds: readonly string[]): Promise<ReadonlyMap<string, PlatformObject>>;
}

/** A listing with objects of several record types: a sync of more than one of them reads it once. */
export interface SharedListing {
  /** Used in cursors. */
  readonly name: string;
  /** `dataModels` are the requested record types. */
  pages(
    client: PlatformClient,
    options: PullOptions,
    dataModels: readonly string[],
  ): AsyncIterable<PulledPage>;
  /**
   * For objects that change their type but keep their ids, and are listed under the new type: the id of an object,
   * which is then deleted from the other record types. Replaces their `moves`, which run first.
   */
  readonly idOf?: (object: PlatformObject) => string | null;
}

/**
 * The field with the id of the whole: one of those with an index, by which its parts are found. Or, for wholes of which
 * there are few, alternative paths to it in objects: each search reads all objects of the record type.
 */
export type PartOf =
  | { readonly field: 'paymentId' | 'orderId' | 'documentTypeId' }
  | { readonly paths: readonly (readonly string[])[] };

/** How a connector reads one record type. */
export interface PullResource<Definition extends RecordDefinition = RecordDefinition> {
  readonly definition: Definition;
  /** Increment it when `toUnified` returns other values for the same object: stored records are then remapped. */
  readonly mapperVersion: number;
  /** Whether the platform can list changes since a time. */
  readonly incremental: boolean;
  /** Objects have no time to list them by, other than that of a change: a start date of the company is ignored. */
  readonly undated?: true;
  /** How many days back it can: after a longer gap everything is read. */
  readonly reachDays?: number;
  /**
   * Some values change without a new timestamp (stock, balances): a sync reads everything again if the last complete
   * read is `everyHours` old.
   */
  readonly unstamped?: { readonly everyHours: number };
  /** How records tell the id of the whole that they are parts of. The parts of a whole are replaced as a set: see `wholes`. */
  readonly partOf?: PartOf;
  /** All methods, in the order of use. */
  readonly deletions?: readonly Deletions[] | CuttableDeletions;
  /** Lookups of `toUnified`; those records are pulled first. */
  readonly lookups?: readonly LookupNeed[];
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<PulledPage>;
  /** Read instead of `pages` if a sync reads other record types of it, too; they are adjacent in `pulls`. */
  readonly listing?: SharedListing;
  /** Place of custom fields in its objects. */
  readonly customFields?: CustomFieldPlace;
  /** Reads objects named by the platform's events; without it, changes are listed. */
  readonly byIds?: ReadByIds;
  /** Reads one object by our platform id; null if the platform has none. */
  readonly read?: (client: PlatformClient, platformId: string) => Promise<PlatformObject | null>;
  /** Pure. Null for an object that is not a record of this type. */
  toUnified(object: PlatformObject, lookups: Lookups): UnifiedRecord<Definition> | null;
}

/** A list in an object, and the names of its elements' parts. */
export interface CustomFieldPlace {
  readonly list: string;
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** The platform's word for the type of the field. */
  readonly type: string;
}
