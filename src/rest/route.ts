import type { Context } from '../context.js';
import type { Describer, RouteDescription } from './description/describe.js';
import type { RequestReceipt } from './envelopes.js';
import type { PageCursors, Query } from './request/query.js';

export interface RestRequest extends RequestReceipt {
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The header of that name; null where there is none. */
  readonly idempotencyKey: string | null;
  readonly context: Context;
}

export interface RestAnswer {
  /** JSON text. */
  readonly body: string;
  /** Cursors of a list's page, for the header `Link`. */
  readonly cursors?: PageCursors;
  /** Parameters that were ignored. */
  readonly ignored?: readonly string[];
  /** Warnings about effects that the caller may not have intended, in ASCII. */
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answer for a caller that already has the current one. */
export const UNCHANGED: RestAnswer = { body: '' };

/** An answer of any length, sent part by part as its reader takes it. */
interface RestStream {
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: AsyncGenerator<string>;
}

interface RouteHead {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Names of the query parameters that it reads, if any; `own` if it reads filters and checks the rest itself. */
  readonly query?: readonly string[] | 'own';
  /** Accepts the larger bodies of bulk writes. */
  readonly isLarge?: boolean;
  /** Also accepts a form with a file, which is then the received file of the context. */
  readonly isUpload?: boolean;
  /** The route's entry in the OpenAPI document. */
  describe(to: Describer): RouteDescription;
}

/** A route that answers with a whole text. */
export interface AnsweringRoute extends RouteHead {
  answer(request: RestRequest): Promise<RestAnswer>;
  /** The same as server-sent events, which continue with new ones. */
  readonly follow?: (request: FollowRequest) => AsyncGenerator<string>;
}

/** A route that reads while it sends. Errors of the request are thrown before the first part. */
export interface StreamingRoute extends RouteHead {
  stream(request: Pick<RestRequest, 'query' | 'context'>): Promise<RestStream>;
}

/** A route is data: where it is, and how it answers. */
export type RestRoute = AnsweringRoute | StreamingRoute;

interface FollowRequest extends Pick<RestRequest, 'query' | 'context'> {
  /** The header `Last-Event-ID`, which clients send when they connect again. */
  readonly lastEventId: string | null;
}
