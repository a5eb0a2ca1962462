const ADDRESSES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_RUNTIME_URL', 'DATABASE_REPLICA_URL'];

/** What the driver reads of an address's query. */
const KNOWN = new Set([
  ...['user', 'password', 'host', 'port', 'database'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  ...['application_name', 'fallback_application_name', 'options', 'encoding', 'client_encoding'],
  ...['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'],
  ...['connectionTimeoutMillis', 'keepAlive', 'keepAliveInitialDelayMillis', 'enableChannelBinding'],
]);

/** Parameters of database addresses that nothing reads, such as those of libpq or Prisma. */
export const ignoredParameters = (environment: NodeJS.ProcessEnv): string[] =>
  ADDRESSES.flatMap((variable) => {
    const addresses = (environment[variable] ?? '').split(',').filter((one) => URL.canParse(one));
    const names = addresses.flatMap((one) => [...new URL(one).searchParams.keys()]);
    const ignored = new Set(names.filter((name) => !KNOWN.has(name)));
    return [...ignored].map((name) => `${variable} has the parameter ${name}, which nothing reads`);
  });
