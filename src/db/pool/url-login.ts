/** A user with its password, as they are, not encoded for a URL. */
interface UrlLogin {
  readonly user: string;
  readonly password: string;
}

/** The login in a PostgreSQL URL. Its parameters `user` and `password` count before those in front of the host, unless empty. */
export function loginOf(url: string): UrlLogin {
  const { username, password, searchParams } = new URL(url);
  const parameter = (name: string) => searchParams.getAll(name).at(-1);
  return {
    user: parameter('user') || decodeURIComponent(username),
    password: parameter('password') || decodeURIComponent(password),
  };
}

/** The same URL with another login. The URL of a socket has no host, so that only its parameters can hold one. */
export function withLogin(url: string, { user, password }: UrlLogin): string {
  const other = new URL(url);
  const { searchParams } = other;
  const inFront = other.host !== '';
  if (inFront) {
    other.username = encodeURIComponent(user);
    other.password = encodeURIComponent(password);
  }
  for (const [name, value] of Object.entries({ user, password })) {
    if (!inFront) searchParams.set(name, value);
    // Unless it is there: a change writes all parameters anew.
    else if (searchParams.has(name)) searchParams.delete(name);
  }
  return other.href;
}
