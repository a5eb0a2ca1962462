import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Condition } from '../../context.js';
import type { Scope } from '../../db/scope.js';
import { type RecordsRead, Stamp } from '../../db/stamp.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { readStamp } from '../../query/changes/changes.js';

declare module 'fastify' {
  interface FastifyRequest {
    condition: RequestCondition | null;
  }
}

interface ConditionOptions {
  /** Version of the code and its settings, on which responses depend besides request and records. */
  readonly version: string;
  readonly scope: Scope;
  readonly url: string;
  /** The header `If-None-Match`. */
  readonly given: string | undefined;
}

const TAGS = /(?:W\/)?"([^"]*)"/g;

/** The condition of a GET (RFC 9110, 13.1.2): that the caller does not have the same response already. */
export class RequestCondition implements Condition {
  readonly stamp = new Stamp();
  #isUnchanged = false;

  constructor(private readonly options: ConditionOptions) {}

  async isUnchanged(sql: TenantSql, reads: RecordsRead): Promise<boolean> {
    // A cluster's nodes do not commit atomically: a stamp may be visible before the rows.
    if (sql.isCluster) return false;
    const { given } = this.options;
    if (given?.includes('"')) {
      // At the primary, and before any row is read: the response may be newer than its tag, but never older.
      this.stamp.note(await readStamp(sql, reads));
      const { tag } = this;
      for (const [, one] of given.matchAll(TAGS)) this.#isUnchanged ||= one === tag;
    } else {
      this.stamp.ask(reads);
    }
    return this.#isUnchanged;
  }

  /** Null if the response has none. */
  get tag(): string | null {
    const { version, scope, url } = this.options;
    const { value } = this.stamp;
    if (value === null) return null;
    const parts = [version, scope.organisationId, scope.companyIds?.join() ?? '', url, value];
    return hash('sha256', parts.join(' '), 'base64url').slice(0, 27);
  }

  /** Whether the caller has the response, or sent `If-None-Match: *`. */
  get isMet(): boolean {
    return this.#isUnchanged || this.options.given?.trim() === '*';
  }
}

/** Sets `ETag` on responses with a stamp, and sends 304 for those that the caller has. */
export function tagAnswers(server: FastifyInstance): void {
  server.decorateRequest('condition', null);
  server.addHook('onSend', (request, reply, payload, done) => {
    const tag = request.condition && reply.statusCode === 200 ? request.condition.tag : null;
    if (request.condition === null || tag === null) return done(null, payload);
    // Weak: compressed or not, it is the same response.
    void reply.header('etag', `W/"${tag}"`);
    if (!request.condition.isMet) return done(null, payload);
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    // Fastify computes the length after dropping the body for HEAD, and would report 0 bytes.
    return done(null, request.method === 'HEAD' ? Readable.from([]) : null);
  });
}
