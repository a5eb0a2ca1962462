import type { Readable } from 'node:stream';

import type { Category, RecordDefinition, ValuesOf } from '../records/define.js';
import type { Access, Reach, Settings } from './access.js';
import type { Verdict } from './answers.js';
import { platformAgent } from './client/platform-agent.js';
import type { PushScheme } from './push.js';
import type { PlatformReports } from './reports.js';

/** An object as a platform sent it. Numbers that a double cannot hold exactly are `LosslessNumber`s. */
export type PlatformObject = Readonly<Record<string, unknown>>;

/** Talks to one connected account of a platform. Throws AppError with a `platform-*` code, or PlatformPause. */
export interface PlatformClient {
  /** Returns the object in the response. */
  get(path: string, request?: PlatformRequest): Promise<PlatformObject>;
  /** The same with the response headers, for platforms that put the next page there. */
  read(path: string, request?: PlatformRequest): Promise<PlatformAnswer>;
  /** Sends any request once and returns the raw response, whatever its status; renews a refused token once. */
  send(call: PlatformCall): Promise<PlatformReply>;
  /**
   * Streams the file in the response; null if the platform has none there. `place` is a path below the API's base
   * address, or a URL of an origin that the connector names.
   */
  download(place: string, request: DownloadRequest): Promise<PlatformFile | null>;
}

/** An additional origin of files besides the API's. */
export interface FileOrigin {
  /** `https://files.example.com`, or `https://*.example.com` for all direct subdomains. */
  readonly origin: string;
  /** Whether it gets the connection's headers, including the token; otherwise the URL suffices. */
  readonly isTrusted: boolean;
}

export interface DownloadRequest {
  /** Without it a GET. */
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: PlatformObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** From the connection to the last byte. */
  readonly timeoutMs: number;
  /** Maximum size of the decoded file; a larger one throws `file-too-large`. */
  readonly maxBytes: number;
}

/** A file being streamed. Counts as one call of the connection until its end. */
export interface PlatformFile {
  /** As reported by the platform. */
  readonly contentType: string | null;
  readonly content: AsyncIterable<Uint8Array>;
}

export const PLATFORM_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export type PlatformMethod = (typeof PLATFORM_METHODS)[number];

export interface PlatformCall {
  readonly method: PlatformMethod;
  /** Below the API's base address. Throws `invalid-params` if it escapes from there. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Names in lower case. The connector's own win, except for `accept`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FileBody | null;
  /** From the connection to the last byte of the response. */
  readonly timeoutMs: number;
  /** Maximum size of the decoded response. */
  readonly maxBytes: number;
  /** Called right before a permitted attempt is sent; throws if it may no longer be sent. */
  readonly beforeSend?: () => Promise<void>;
}

/** A body that is a file. */
export interface FileBody {
  readonly size: number;
  /** Opens its content, again for each attempt. */
  open(): Promise<Readable>;
}

/** A response in which any copy of the access token is redacted. */
export interface PlatformReply {
  readonly status: number;
  readonly verdict: Verdict;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Size of the decoded text in bytes. */
  readonly size: number;
}

/** A read-only request, which may be retried; GET by default. */
export interface PlatformRequest {
  readonly method?: PlatformMethod;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: PlatformObject;
}

export interface PlatformAnswer {
  readonly body: PlatformObject;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

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
  /**
   * Alternative paths in an object to the id of the whole that it is part of. The parts of a whole are replaced as a
   * set: see `wholes`.
   */
  readonly partOf?: readonly (readonly string[])[];
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

/** A platform as a value. Unsupported operations are absent. */
export interface Connector {
  readonly integrationType: string;
  readonly category: Category;
  readonly title: string;
  /** Shown next to the title; if absent, initials are shown. */
  readonly mark?: PlatformMark;
  readonly access: Access;
  /** Call limits of one connection. */
  readonly limits: CallLimits;
  /** In pull order: record types needed for later lookups come first. */
  readonly pulls: readonly PullResource[];
  /**
   * Its journal entries are the whole ledger, an entry for everything that was posted, in the base currency or with the
   * rate to it: statements are computed of them. Absent if they are only manual entries.
   */
  readonly hasLedger?: true;
  /** The platform's own statements; absent if it has none. */
  readonly reports?: PlatformReports;
  /** Supported writes; absent if there are none. */
  readonly push?: PushScheme;
  /** Reads the ISO code of the account's base currency, if connecting does not reveal it; null if unknown. */
  readonly readBaseCurrency?: (client: PlatformClient) => Promise<string | null>;
  readonly files?: DocumentFiles;
  readonly hooks?: PlatformHooks;
  readonly createClient: (access: PlatformAccess) => PlatformClient;
  /**
   * A separate client for callers' own requests (passthrough), if it needs another base address or other headers.
   * Absent: that of `createClient`.
   */
  readonly createPassthrough?: (access: PlatformAccess) => PassthroughClient;
}

/** Sends callers' own requests. */
export type PassthroughClient = Pick<PlatformClient, 'send'>;

/** A platform's logo, one shape in one colour. */
export interface PlatformMark {
  /** `#13B5EA` */
  readonly colour: string;
  /** The path of an SVG of 24 by 24. */
  readonly path: string;
}

/** A platform's webhooks to this service. */
export interface PlatformHooks {
  /** The record types that its events cover. */
  readonly dataModels: readonly string[];
  /** The events of a request; null if it is not signed with the secret. Pure. */
  read(request: HookRequest): readonly HookEvent[] | null;
}

/** A platform's raw webhook request. */
export interface HookRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  /** The secret that the organisation's app shares with the platform. */
  readonly secret: string;
}

/** Something changed in an account. */
export interface HookEvent {
  readonly externalAccountId: string;
  /** Of these record types. */
  readonly dataModels: readonly string[];
  /** The changed object's id in each of them; null if the platform does not say. */
  readonly platformId: string | null;
}

/** Changed ids by record type; null if unknown. */
export type ChangedObjects = ReadonlyMap<string, readonly string[] | null>;

/** How to fetch document files; `documents` contains only their metadata. */
export interface DocumentFiles {
  /** The file of a document; null if the platform has none. */
  fetch(
    client: PlatformClient,
    document: StoredDocument,
    limits: Pick<DownloadRequest, 'timeoutMs' | 'maxBytes'>,
  ): Promise<PlatformFile | null>;
}

/** A pulled document. */
interface StoredDocument {
  readonly platformId: string;
  readonly rawData: PlatformObject;
  readonly fileType: string | null;
}

interface CallLimits {
  readonly perMinute: number;
  readonly perDay: number | null;
  readonly concurrent: number;
  /** Limit shared by all connections of an organisation's app. */
  readonly app?: { readonly perMinute: number };
  /** For platforms whose calls cost points. */
  readonly points?: PointLimits;
}

/** A token bucket of points. The platform's own report in its responses takes precedence. */
export interface PointLimits {
  readonly capacity: number;
  readonly perSecond: number;
  /** Maximum points that one call of the connector costs: a call waits until that many are left. */
  readonly mostPerCall: number;
}

/** Access to a platform for one connection, as needed by a client. */
export interface PlatformAccess extends Reach {
  readonly externalAccountId: string;
  /** Maximum pause, requested by the platform, to wait for; a longer one throws PlatformPause. */
  readonly patienceMs: number;
  /** A token for one attempt. `refused` has just got a 401: returns another one if that can help. */
  accessToken(refused?: string): Promise<string>;
  /** Called when the platform no longer accepts this token and no other token would help. */
  ended(token: string): Promise<void>;
  /**
   * Permission for one attempt: resolves when the connection's budget has room, throws PlatformPause if that takes too
   * long.
   */
  permit(): Promise<CallPermit>;
}

/** Remaining quota reported by a platform; null if it reports none. */
export interface RemainingCalls {
  /** Of the account, in the running minute. */
  readonly minute: number | null;
  readonly day: number | null;
  /** Of the app, in the running minute. */
  readonly appMinute?: number | null;
  readonly points?: RemainingPoints | null;
}

/** State of a bucket of points reported by a platform; null if it reports none. */
export interface RemainingPoints {
  readonly left: number;
  readonly capacity: number | null;
  readonly perSecond: number | null;
}

/** Result of one attempt. */
export interface CallOutcome {
  /** Null: no response. */
  readonly status: number | null;
  /** Pause requested by the platform. */
  readonly retryAfterMs: number | null;
  readonly remaining?: RemainingCalls | undefined;
  /** Length of the response's text. */
  readonly length: number;
  /** By the platform's own clock, if reported. */
  readonly answeredAt?: Date | undefined;
}

/** Permission for one attempt; must be returned. */
export interface CallPermit {
  done(outcome: CallOutcome): Promise<void>;
}

/** An unmetered access: for commands with the caller's own token. */
export function plainAccess(options: {
  readonly baseUrl?: string | undefined;
  readonly settings?: Settings;
  readonly accessToken: string;
  readonly externalAccountId: string;
  readonly patienceMs?: number;
}): PlatformAccess {
  return {
    baseUrl: options.baseUrl ?? null,
    settings: options.settings ?? {},
    dispatcher: platformAgent,
    externalAccountId: options.externalAccountId,
    patienceMs: options.patienceMs ?? 90_000,
    accessToken: () => Promise.resolve(options.accessToken),
    ended: () => Promise.resolve(),
    permit: () => Promise.resolve({ done: () => Promise.resolve() }),
  };
}
