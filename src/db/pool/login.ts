import { codeOf } from '../../errors.js';

/** The server refused the password. */
const WRONG_PASSWORD = '28P01';
/** PgBouncer's only code for refusals and temporary errors alike: only the message tells them apart. */
const POOLER_ERROR = '08P01';
const POOLER_REFUSES = /authentication failed|no such (user|database)|unsupported startup parameter/;

/**
 * A process's login: the URLs to try, which differ in their password. There are several while `SECRET_KEYS` are
 * rotated, as another process may have set the password derived from its own first key.
 */
export class Login {
  /** The same login at PostgreSQL itself, for work that needs its own session; this login if there is no pooler. */
  readonly direct: Login;
  #at = 0;

  /** `directUrls` if `urls` are those of a pooler. */
  constructor(
    readonly urls: readonly [string, ...string[]],
    directUrls: readonly [string, ...string[]] | null = null,
  ) {
    this.direct = directUrls ? new Login(directUrls) : this;
  }

  /** Whether a pooler gives every transaction another session. */
  get isPooled(): boolean {
    return this.direct !== this;
  }

  /** The URL that worked last, or is tried next. */
  get url(): string {
    return this.urls[this.#at] ?? this.urls[0];
  }

  /** Moves to the next URL if the password of `tried` was refused. Returns whether to retry. */
  isWorthRetrying(error: unknown, tried: string): boolean {
    if (!isRefusedLogin(error) || this.urls.length === 1) return false;
    if (tried === this.url) this.#at = (this.#at + 1) % this.urls.length;
    return true;
  }
}

/** Whether the server or a pooler refused the password. */
const isRefusedLogin = (error: unknown): boolean =>
  codeOf(error) === WRONG_PASSWORD || isPoolerRefusal(error);

/** Whether a pooler refused the login permanently. */
export function isPoolerRefusal(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  return code === POOLER_ERROR && POOLER_REFUSES.test(message);
}
