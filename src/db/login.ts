/** The server refused the password. */
const WRONG_PASSWORD = '28P01';

/**
 * How a process logs in: the addresses to try, which differ in their password. Several while `SECRET_KEYS` are being
 * changed, as another process may have set the password that follows from its own first key.
 */
export class Login {
  #at = 0;

  constructor(readonly urls: readonly [string, ...string[]]) {}

  /** The address that worked last, or that is tried next. */
  get url(): string {
    return this.urls[this.#at] ?? this.urls[0];
  }

  /** Moves on where the password of `tried` was refused. Whether to try again. */
  isWorthRetrying(error: unknown, tried: string): boolean {
    if ((error as { code?: unknown } | null)?.code !== WRONG_PASSWORD || this.urls.length === 1) return false;
    if (tried === this.url) this.#at = (this.#at + 1) % this.urls.length;
    return true;
  }
}
