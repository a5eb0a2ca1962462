import type { Category, RecordDefinition, ValuesOf } from '../records/define.js';

/** An object as a platform sent it. Numbers that a double cannot hold exactly are `LosslessNumber`s. */
export type PlatformObject = Readonly<Record<string, unknown>>;

/** Talks to one connected account of a platform. Throws AppError with a `platform-*` code. */
export interface PlatformClient {
  get(path: string, request?: PlatformRequest): Promise<PlatformObject>;
}

export interface PlatformRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records that were pulled first, for codes that a platform uses where we hold ids (design 3.7). */
export interface Lookups {
  /** The platform id of the record of `dataModel` whose `field` is `value`; null when there is none yet. */
  platformIdOf(dataModel: string, field: string, value: string): string | null;
  /** ISO code of the company's base currency, when known. */
  readonly baseCurrency: string | null;
}

/** One way of looking records up: by this field of this record type. */
export interface LookupNeed {
  readonly dataModel: string;
  readonly field: string;
}

/** A platform object in our terms. */
export interface UnifiedRecord<Definition extends RecordDefinition = RecordDefinition> {
  /** Unique per connection and record type. */
  readonly platformId: string;
  readonly platformUniqueId?: string | null;
  /** The platform says that it is deleted. */
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
 * One page of a pull. `cursor` resumes after it; null on the last page. One object is one record: where one of the
 * platform's becomes several of ours, each is an object of its own, with what it cannot do without of the whole.
 */
export interface PulledPage {
  readonly objects: readonly PlatformObject[];
  readonly cursor: string | null;
}

export interface PullOptions {
  /** Only what changed since then, where the platform can tell. */
  readonly since: Date | null;
  /** Where an earlier, interrupted pull stopped. */
  readonly cursor: string | null;
}

/** How a connector reads one record type. */
export interface PullResource<Definition extends RecordDefinition = RecordDefinition> {
  readonly definition: Definition;
  /** Raise it when `toUnified` gives other values for the same object: stored records are then renewed. */
  readonly mapperVersion: number;
  /** What `toUnified` looks up; those records are pulled before. */
  readonly lookups?: readonly LookupNeed[];
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<PulledPage>;
  /** Pure. Null for an object that is no record of this type. */
  toUnified(object: PlatformObject, lookups: Lookups): UnifiedRecord<Definition> | null;
}

/** A platform, as a value. What it cannot do is absent. */
export interface Connector {
  readonly integrationType: string;
  readonly category: Category;
  readonly title: string;
  /** In pull order: what later mappers look up comes first. */
  readonly pulls: readonly PullResource[];
  /** The account behind the credentials: its stable id at the platform. */
  createClient(options: ClientOptions): PlatformClient;
}

export interface ClientOptions {
  /** Address of the platform; the connector's own default when absent. */
  readonly baseUrl?: string | undefined;
  readonly accessToken: string;
  /** The account at the platform (Xero: tenant id). */
  readonly externalAccountId: string;
}
