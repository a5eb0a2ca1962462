import type { Category } from '../records/define.js';
import type { Access } from './access.js';
import type { PlatformHooks } from './hooks.js';
import type { PlatformAccess } from './platform-access.js';
import type {
  DownloadRequest,
  PassthroughClient,
  PlatformClient,
  PlatformFile,
  PlatformObject,
} from './platform.js';
import type { PullResource } from './pull.js';
import type { PushScheme } from './push.js';
import type { PlatformReports } from './reports.js';

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

/** A platform's logo, one shape in one colour. */
export interface PlatformMark {
  /** `#13B5EA` */
  readonly colour: string;
  /** The path of an SVG of 24 by 24. */
  readonly path: string;
}

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
