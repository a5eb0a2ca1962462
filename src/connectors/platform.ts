import type { Readable } from 'node:stream';

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

/** Sends callers' own requests. */
export type PassthroughClient = Pick<PlatformClient, 'send'>;

/** The meaning of a response, regardless of its status: used alike for reading, writing and passthrough. */
export type Verdict =
  | { readonly kind: 'ok' }
  /** A platform fault: the request may succeed later, and may have been carried out. */
  | { readonly kind: 'again'; readonly retryAfterMs: number | null }
  /** Not now: nothing was carried out. Null if the platform does not say until when. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  /** Refused; `words` if the platform explains it in an unusual place. */
  | { readonly kind: 'refused'; readonly words?: string }
  /** The access has ended; if `isToken`, another token may still work. */
  | { readonly kind: 'access ended'; readonly isToken: boolean };
