import type { Readable } from 'node:stream';

import type { Category, RecordDefinition, ValuesOf } from '../records/define.js';
import type { Access, Reach, Settings } from './access.js';
import type { Verdict } from './answers.js';
import { platformAgent } from './platform-agent.js';
import type { PushScheme } from './push.js';
import type { PlatformReports } from './reports.js';

/** An object as a platform sent it. Numbers that a double cannot hold exactly are `LosslessNumber`s. */
export type PlatformObject = Readonly<Record<string, unknown>>;

/** Talks to one connected account of a platform. Throws AppError with a `platform-*` code, or PlatformPause. */
export interface PlatformClient {
  /** The object that a request answers. */
  get(path: string, request?: PlatformRequest): Promise<PlatformObject>;
  /** The same with the headers of the answer, for platforms that put the next page there. */
  read(path: string, request?: PlatformRequest): Promise<PlatformAnswer>;
  /** Any request, sent once, and the answer as it came, whatever its status; a refused token is renewed once. */
  send(call: PlatformCall): Promise<PlatformReply>;
  /**
   * The file that a request answers, as it comes; null where the platform has none there. `place` is a path below the
   * API's base address, or an address of an origin that the connector names.
   */
  download(place: string, request: DownloadRequest): Promise<PlatformFile | null>;
}

/** An origin beside the API's that files come from. */
export interface FileOrigin {
  /** `https://files.example.com`, or `https://*.example.com` for all that are one name below. */
  readonly origin: string;
  /** Whether it is shown the connection's headers, the token's among them; else an address is all that it needs. */
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
  /** Of the file, decoded; a larger one throws `file-too-large`. */
  readonly maxBytes: number;
}

/** A file on its way. What reads it counts as one call of the connection until the end. */
export interface PlatformFile {
  /** As the platform says. */
  readonly contentType: string | null;
  readonly content: AsyncIterable<Uint8Array>;
}

export const PLATFORM_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export type PlatformMethod = (typeof PLATFORM_METHODS)[number];

export interface PlatformCall {
  readonly method: PlatformMethod;
  /** Below the API's base address. Throws `invalid-params` where it leads out of there. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Names in lower case. The connector's own win, except for `accept`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FileBody | null;
  /** From the connection to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Of the answer, decoded. */
  readonly maxBytes: number;
  /** Called when an attempt has leave, right before it is sent; throws where it may not be sent any more. */
  readonly beforeSend?: () => Promise<void>;
}

/** A body that is a file. */
export interface FileBody {
  readonly size: number;
  /** Its content, anew for each attempt. */
  open(): Promise<Readable>;
}

/** An answer in which the access token, where the platform repeats it, is blacked out. */
export interface PlatformReply {
  readonly status: number;
  readonly verdict: Verdict;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Bytes of the text as they came, decoded. */
  readonly size: number;
}

/** A request that changes nothing, so that it may be made again; a GET where it names no other method. */
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

/** Records that were pulled first, for codes that a platform uses where we hold ids. */
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
  /** The platform's own version of it, where it counts them. */
  readonly version?: string | null;
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
  /** Objects of the platform that this page has all parts of: what else is here of them is gone. */
  readonly wholes?: readonly string[];
}

export interface PullOptions {
  /** Only what changed since then; null for everything. Resources that are not incremental read everything anyway. */
  readonly since: Date | null;
  /** Where an earlier, interrupted pull stopped. */
  readonly cursor: string | null;
}

/** One page of ids: of records that are gone, or of all that there are. */
export interface IdPage {
  readonly platformIds: readonly string[];
  readonly cursor: string | null;
}

/**
 * A way of finding records that are gone without an object that says so. `feed`: the platform lists what was deleted
 * since a time. `moves`: it lists, somewhere else, what since then became an object of another type. `sweep`: it lists
 * the ids of all that live, and what is not among them is gone. Without a feed or a sweep a complete pull finds them.
 */
export interface Deletions {
  readonly kind: 'feed' | 'moves' | 'sweep';
  /** How many days back a feed lists: after a longer silence a sweep follows, or everything is read. */
  readonly reachDays?: number;
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<IdPage>;
}

/**
 * Objects by their ids, in one call. Record types that are read by the same value share what a sync has read by it.
 */
export interface ReadByIds {
  /** With more ids than these, what changed is listed instead. */
  readonly most: number;
  /** The objects that there are, of whatever record type, by their ids. */
  read(client: PlatformClient, platformIds: readonly string[]): Promise<ReadonlyMap<string, PlatformObject>>;
}

/** A listing with objects of several record types: a sync that wants more than one of them reads it once. */
export interface SharedListing {
  /** Stands in cursors. */
  readonly name: string;
  /** `dataModels` are the record types that are wanted. */
  pages(
    client: PlatformClient,
    options: PullOptions,
    dataModels: readonly string[],
  ): AsyncIterable<PulledPage>;
  /**
   * Where objects turn from one type into another, keep their ids and come with what they have become: the id of an
   * object, which is then gone from the other record types. This replaces their `moves`, which come first there.
   */
  readonly idOf?: (object: PlatformObject) => string | null;
}

/** How a connector reads one record type. */
export interface PullResource<Definition extends RecordDefinition = RecordDefinition> {
  readonly definition: Definition;
  /** Raise it when `toUnified` gives other values for the same object: stored records are then renewed. */
  readonly mapperVersion: number;
  /** Whether the platform can tell what changed since a time. */
  readonly incremental: boolean;
  /** How many days back it can: after a longer silence everything is read. */
  readonly reachDays?: number;
  /**
   * Some values change without the platform telling (a stock, a balance): a sync reads everything again where the last
   * complete read is `everyHours` old.
   */
  readonly unstamped?: { readonly everyHours: number };
  /**
   * Where in an object the id of the whole stands that it is a part of, as paths of which one leads there. The parts of
   * a whole are replaced as a set: see `wholes`.
   */
  readonly partOf?: readonly (readonly string[])[];
  /** All ways that there are, in the order in which they are gone. */
  readonly deletions?: readonly Deletions[];
  /** What `toUnified` looks up; those records are pulled before. */
  readonly lookups?: readonly LookupNeed[];
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<PulledPage>;
  /** Read in place of `pages` where a sync wants other record types of it, too; they follow each other in `pulls`. */
  readonly listing?: SharedListing;
  /** Where its objects have custom fields. */
  readonly customFields?: CustomFieldPlace;
  /** Objects that events of the platform name; without it what changed is listed. */
  readonly byIds?: ReadByIds;
  /** One object by our platform id; null where the platform has none. */
  readonly read?: (client: PlatformClient, platformId: string) => Promise<PlatformObject | null>;
  /** Pure. Null for an object that is no record of this type. */
  toUnified(object: PlatformObject, lookups: Lookups): UnifiedRecord<Definition> | null;
}

/** A list in an object, and what the parts of its elements are called there. */
export interface CustomFieldPlace {
  readonly list: string;
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** The platform's word for the type of the field. */
  readonly type: string;
}

/** A platform, as a value. What it cannot do is absent. */
export interface Connector {
  readonly integrationType: string;
  readonly category: Category;
  readonly title: string;
  /** Shown beside the title; initials in its place where it is absent. */
  readonly mark?: PlatformMark;
  readonly access: Access;
  /** How much of the platform one connection may use. */
  readonly limits: CallLimits;
  /** In pull order: what later mappers look up comes first. */
  readonly pulls: readonly PullResource[];
  /**
   * Its journal entries are the whole ledger, an entry for everything that was posted, in the base currency or with the
   * rate to it: statements are computed of them. Absent where they are only those written by hand.
   */
  readonly hasLedger?: true;
  /** Statements that it makes itself; absent where it makes none. */
  readonly reports?: PlatformReports;
  /** What can be written; absent where nothing can. */
  readonly push?: PushScheme;
  /** ISO code of the account's base currency, where connecting it does not tell; null where the platform does not say. */
  readonly readBaseCurrency?: (client: PlatformClient) => Promise<string | null>;
  readonly files?: DocumentFiles;
  readonly hooks?: PlatformHooks;
  createClient(access: PlatformAccess): PlatformClient;
  /**
   * A client for requests that callers write (passthrough), where it is another one: more of the platform is below its
   * address, or its headers differ. Absent: that of `createClient`.
   */
  readonly createPassthrough?: (access: PlatformAccess) => PassthroughClient;
}

/** Sends what callers write. */
export type PassthroughClient = Pick<PlatformClient, 'send'>;

/** A platform's logo, one shape in one colour. */
export interface PlatformMark {
  /** `#13B5EA` */
  readonly colour: string;
  /** The path of an SVG of 24 by 24. */
  readonly path: string;
}

/** How a platform tells this service of changes. */
export interface PlatformHooks {
  /** The record types that it tells of. */
  readonly dataModels: readonly string[];
  /** What a request tells; null where it is not signed with the secret. Pure. */
  read(request: HookRequest): readonly HookEvent[] | null;
}

/** A request of a platform, as it came. */
export interface HookRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  /** That the organisation's app shares with the platform. */
  readonly secret: string;
}

/** Something changed in an account. */
export interface HookEvent {
  readonly externalAccountId: string;
  /** Of these record types. */
  readonly dataModels: readonly string[];
  /** The object that did, by its id in each of them; null where the platform does not say. */
  readonly platformId: string | null;
}

/** Record types with the ids of their objects that changed; null where nobody says which. */
export type ChangedObjects = ReadonlyMap<string, readonly string[] | null>;

/** How the files of documents are fetched; what stands in `documents` are their particulars. */
export interface DocumentFiles {
  /** The file of a document; null where the platform has none. */
  fetch(
    client: PlatformClient,
    document: StoredDocument,
    limits: Pick<DownloadRequest, 'timeoutMs' | 'maxBytes'>,
  ): Promise<PlatformFile | null>;
}

/** A document as it was pulled. */
interface StoredDocument {
  readonly platformId: string;
  readonly rawData: PlatformObject;
  readonly fileType: string | null;
}

interface CallLimits {
  readonly perMinute: number;
  readonly perDay: number | null;
  readonly concurrent: number;
  /** Of all connections of an organisation's app together. */
  readonly app?: { readonly perMinute: number };
  /** Where calls cost points. */
  readonly points?: PointLimits;
}

/** A bucket of points that fills by itself. What the platform says of one with its answers holds instead. */
export interface PointLimits {
  readonly capacity: number;
  readonly perSecond: number;
  /** The most points that one call of the connector costs: a call waits until that many are left. */
  readonly mostPerCall: number;
}

/** What a client needs to call a platform for one connection. */
export interface PlatformAccess extends Reach {
  readonly externalAccountId: string;
  /** How long a pause that the platform asks for is waited for; a longer one is a PlatformPause. */
  readonly patienceMs: number;
  /** A token for one attempt. `refused` is one that the platform has just answered 401 to: another one where one can help. */
  accessToken(refused?: string): Promise<string>;
  /** The platform no longer lets in who comes with this token, and no other token would help. */
  ended(token: string): Promise<void>;
  /** Leave for one attempt: comes when the connection's budget has room, throws PlatformPause when that is far off. */
  permit(): Promise<CallPermit>;
}

/** What a platform says is left of its limits; null where it does not. */
export interface RemainingCalls {
  /** Of the account, in the running minute. */
  readonly minute: number | null;
  readonly day: number | null;
  /** Of the app, in the running minute. */
  readonly appMinute?: number | null;
  readonly points?: RemainingPoints | null;
}

/** What a platform says of a bucket of points; null where it does not. */
export interface RemainingPoints {
  readonly left: number;
  readonly capacity: number | null;
  readonly perSecond: number | null;
}

/** What came of one attempt. */
export interface CallOutcome {
  /** Null: no answer. */
  readonly status: number | null;
  /** The platform wants no call before. */
  readonly retryAfterMs: number | null;
  readonly remaining?: RemainingCalls | undefined;
  /** Length of the answer's text. */
  readonly length: number;
  /** By the platform's own clock, where it says so. */
  readonly answeredAt?: Date | undefined;
}

/** Leave for one attempt; must be given back. */
export interface CallPermit {
  done(outcome: CallOutcome): Promise<void>;
}

/** An access that nothing meters: for commands with a token of the caller's. */
export function plainAccess(options: {
  readonly baseUrl?: string | undefined;
  readonly settings?: Settings;
  readonly accessToken: string;
  readonly externalAccountId: string;
}): PlatformAccess {
  return {
    baseUrl: options.baseUrl ?? null,
    settings: options.settings ?? {},
    dispatcher: platformAgent,
    externalAccountId: options.externalAccountId,
    patienceMs: 90_000,
    accessToken: () => Promise.resolve(options.accessToken),
    ended: () => Promise.resolve(),
    permit: () => Promise.resolve({ done: () => Promise.resolve() }),
  };
}
