/** The server refused the password. */
const WRONG_PASSWORD = '28P01';
/** The one code that PgBouncer gives for whatever it refuses, and for what passes: only its words tell them apart. */
const POOLER_ERROR = '08P01';
const POOLER_REFUSES = /authentication failed|no such (user|database)|unsupported startup parameter/;

/**
 * How a process logs in: the addresses to try, which differ in their password. Several while `SECRET_KEYS` are being
 * changed, as another process may have set the password that follows from its own first key.
 */
export class Login {
  /** The same at PostgreSQL itself, for what needs a session of its own; where no pooler stands between, this one. */
  readonly direct: Login;
  #at = 0;

  /** `directUrls` where `urls` are those of a pooler. */
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

  /** The address that worked last, or that is tried next. */
  get url(): string {
    return this.urls[this.#at] ?? this.urls[0];
  }

  /** Moves on where the password of `tried` was refused. Whether to try again. */
  isWorthRetrying(error: unknown, tried: string): boolean {
    if (!isRefusedLogin(error) || this.urls.length === 1) return false;
    if (tried === this.url) this.#at = (this.#at + 1) % this.urls.length;
    return true;
  }
}

/** The server or a pooler refuses a password. */
export const isRefusedLogin = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === WRONG_PASSWORD || isPoolerRefusal(error);

/** A pooler refuses a login, and will again. */
export function isPoolerRefusal(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  return code === POOLER_ERROR && POOLER_REFUSES.test(message);
}
