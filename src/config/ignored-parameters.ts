const ADDRESSES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_RUNTIME_URL', 'DATABASE_REPLICA_URL'];

/** Query parameters of a database address that the driver reads. */
const KNOWN = new Set([
  ...['user', 'password', 'host', 'port'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  ...['application_name', 'fallback_application_name', 'options', 'client_encoding'],
  ...['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'],
  ...['connectionTimeoutMillis', 'keepAlive', 'keepAliveInitialDelayMillis', 'enableChannelBinding'],
]);

/** Parameters of database addresses that nothing reads, such as those of libpq or Prisma. */
export const ignoredParameters = (environment: NodeJS.ProcessEnv): string[] =>
  ADDRESSES.flatMap((variable) => {
    const addresses = (environment[variable] ?? '').split(',').filter((one) => URL.canParse(one));
    const parameters = addresses.flatMap((one) => {
      const { searchParams } = new URL(one);
      return mayHoldPassword(searchParams) ? [] : [...searchParams];
    });
    // A parameter without a value may be the tail of an unencoded password.
    const named = parameters.filter(([, value]) => value !== '').map(([name]) => name);
    const ignored = new Set(named.filter((name) => !KNOWN.has(name)));
    return [...ignored].map((name) => `${variable} has the parameter ${name}, which nothing reads`);
  });

/** Whether parts of a password that was not encoded may have become parameters. */
const mayHoldPassword = (parameters: URLSearchParams): boolean =>
  parameters.has('password') || [...parameters.values()].some((value) => value.includes('@'));
