/** A limit: its default, its environment variable, and a description. */
interface Limit {
  readonly value: number;
  readonly variable: string;
  readonly about: string;
}

/** Every limit that a request can hit. `docs/limits.md` is generated from this table. */
export const LIMIT_TABLE = {
  pageSize: { value: 100, variable: 'LIMIT_PAGE_SIZE', about: 'default page size' },
  nestedPageSize: {
    value: 20,
    variable: 'LIMIT_NESTED_PAGE_SIZE',
    about: 'default page size of a nested connection',
  },
  maxPageSize: {
    value: 1000,
    variable: 'LIMIT_MAX_PAGE_SIZE',
    about: 'maximum of `first`, `last` and `limit`',
  },
  take: { value: 100, variable: 'LIMIT_TAKE', about: 'default `take` of `.../all`' },
  maxTake: { value: 500, variable: 'LIMIT_MAX_TAKE', about: 'maximum `take` of `.../all`' },
  maxSkip: {
    value: 1_000_000,
    variable: 'LIMIT_MAX_SKIP',
    about: 'maximum `skip`; beyond it, page by cursor',
  },
  expandedRecords: {
    value: 1000,
    variable: 'LIMIT_EXPANDED_RECORDS',
    about: 'records of an expanded to-many relation, per REST record',
  },
  filterConditions: {
    value: 50,
    variable: 'LIMIT_FILTER_CONDITIONS',
    about: 'comparisons in one `filter`',
  },
  filterValues: { value: 1000, variable: 'LIMIT_FILTER_VALUES', about: 'values in one `in` or `notIn`' },
  orderFields: { value: 5, variable: 'LIMIT_ORDER_FIELDS', about: 'fields in one `orderBy`' },
  queryCost: {
    value: 20_000,
    variable: 'LIMIT_QUERY_COST',
    about: 'cost of a GraphQL operation: the records that its page sizes allow, plus the weights below',
  },
  queryDepth: {
    value: 12,
    variable: 'LIMIT_QUERY_DEPTH',
    about: 'depth of a GraphQL operation, not counting `edges`, `node`, `nodes` and introspection',
  },
  queryAliases: {
    value: 100,
    variable: 'LIMIT_QUERY_ALIASES',
    about: 'aliases in a GraphQL document, including those of `__typename`',
  },
  queryRootFields: {
    value: 20,
    variable: 'LIMIT_QUERY_ROOT_FIELDS',
    about: 'root fields in a GraphQL operation',
  },
  queryFragments: { value: 100, variable: 'LIMIT_QUERY_FRAGMENTS', about: 'fragments in a GraphQL document' },
  queryFields: {
    value: 5000,
    variable: 'LIMIT_QUERY_FIELDS',
    about: 'fields in a GraphQL document, with fragments expanded',
  },
  selectionFields: {
    value: 500,
    variable: 'LIMIT_SELECTION_FIELDS',
    about: 'fields in one selection set, with fragments expanded and repeated fields merged',
  },
  selectionRepeats: {
    value: 100,
    variable: 'LIMIT_SELECTION_REPEATS',
    about: 'repetitions of the same field or alias in such a selection set',
  },
  queryTokens: { value: 4000, variable: 'LIMIT_QUERY_TOKENS', about: 'tokens in a GraphQL document' },
  queryBytes: {
    value: 100_000,
    variable: 'LIMIT_QUERY_BYTES',
    about: 'size of a GraphQL document in bytes',
  },
  variableValues: {
    value: 50_000,
    variable: 'LIMIT_VARIABLE_VALUES',
    about:
      'values in the variables of a GraphQL query, or in the `filter` of `.../all`; an object counts as 100',
  },
  bodyBytes: { value: 1_000_000, variable: 'LIMIT_BODY_BYTES', about: 'size of a request body in bytes' },
  largeBodyBytes: {
    value: 10_000_000,
    variable: 'LIMIT_LARGE_BODY_BYTES',
    about: 'size of a request body for `/graphql` and bulk writes in bytes, for keys that may write',
  },
  bodyValues: {
    value: 250_000,
    variable: 'LIMIT_BODY_VALUES',
    about: 'values in a JSON body: its commas and opening brackets are counted',
  },
  numberDigits: {
    value: 1000,
    variable: 'LIMIT_NUMBER_DIGITS',
    about: 'digits of a number in a JSON body',
  },
  heldBodyBytes: {
    value: 50_000_000,
    variable: 'LIMIT_HELD_BODY_BYTES',
    about: 'bytes of JSON bodies and form texts held by a process at a time; one organisation may use half',
  },
  heldRowBytes: {
    value: 0,
    variable: 'LIMIT_HELD_ROW_BYTES',
    about:
      'bytes of rows held by a process until their response is sent; one organisation may use half, and pages of exports, event streams and subscriptions wait once half of that is used; 0 means an eighth of the heap',
  },
  waitingRequests: {
    value: 4000,
    variable: 'LIMIT_WAITING_REQUESTS',
    about: 'requests waiting for their turn in a process; one organisation may use half',
  },
  waitingStatements: {
    value: 2000,
    variable: 'LIMIT_WAITING_STATEMENTS',
    about: 'SQL statements waiting for a connection in a process; one organisation may use half',
  },
  jsonDepth: {
    value: 64,
    variable: 'LIMIT_JSON_DEPTH',
    about: "nesting depth of a JSON body, and of a platform's response to a passthrough request",
  },
  requestsPerMinute: {
    value: 1000,
    variable: 'LIMIT_REQUESTS_PER_MINUTE',
    about: 'requests per API key and minute; 0 means no limit',
  },
  organisationRequestsPerMinute: {
    value: 5000,
    variable: 'LIMIT_ORGANISATION_REQUESTS_PER_MINUTE',
    about: 'requests per organisation and minute, over all its keys; 0 means no limit',
  },
  failedKeysPerMinute: {
    value: 60,
    variable: 'LIMIT_FAILED_KEYS_PER_MINUTE',
    about: 'unknown API keys per client address and minute; 0 means no limit',
  },
  hooksPerMinute: {
    value: 600,
    variable: 'LIMIT_HOOKS_PER_MINUTE',
    about: 'webhook requests from a platform, per integration and minute; 0 means no limit',
  },
  subscriptions: {
    value: 100,
    variable: 'LIMIT_SUBSCRIPTIONS',
    about: 'concurrent subscriptions and event streams per API key',
  },
  slowReaderMilliseconds: {
    value: 30_000,
    variable: 'LIMIT_SLOW_READER_MILLISECONDS',
    about: 'milliseconds for which a response, or an event of a subscription, may remain unread',
  },
  queryMilliseconds: {
    value: 10_000,
    variable: 'LIMIT_QUERY_MILLISECONDS',
    about: 'time limit for a query in milliseconds',
  },
  mutationMilliseconds: {
    value: 55_000,
    variable: 'LIMIT_MUTATION_MILLISECONDS',
    about: 'time limit for a mutation in milliseconds',
  },
  passthroughMilliseconds: {
    value: 30_000,
    variable: 'LIMIT_PASSTHROUGH_MILLISECONDS',
    about: "time limit for a platform's response to a passthrough request, in milliseconds",
  },
  passthroughBytes: {
    value: 10_000_000,
    variable: 'LIMIT_PASSTHROUGH_BYTES',
    about: "size of a platform's response to a passthrough request in bytes, decompressed",
  },
  maxWebhooks: {
    value: 100,
    variable: 'LIMIT_WEBHOOKS',
    about: 'webhooks per organisation',
  },
  fieldMappings: {
    value: 500,
    variable: 'LIMIT_FIELD_MAPPINGS',
    about: 'field mappings per organisation',
  },
  indexedFields: {
    value: 10,
    variable: 'LIMIT_INDEXED_FIELDS',
    about: 'indexed field mappings per organisation',
  },
  writeItems: { value: 1000, variable: 'LIMIT_WRITE_ITEMS', about: 'items in a bulk write' },
  writeWaitMilliseconds: {
    value: 25_000,
    variable: 'WRITE_WAIT_MS',
    about: 'milliseconds for which a write waits for its platform before it answers PENDING',
  },
  fileBytes: {
    value: 25_000_000,
    variable: 'LIMIT_FILE_BYTES',
    about: "size of a document's file in bytes",
  },
  fileMilliseconds: {
    value: 45_000,
    variable: 'LIMIT_FILE_MILLISECONDS',
    about: "time limit for a platform to send or accept a document's file, in milliseconds",
  },
  downloadSeconds: {
    value: 900,
    variable: 'LIMIT_DOWNLOAD_SECONDS',
    about: 'validity of a `download_url` in seconds',
  },
  statementMilliseconds: {
    value: 8000,
    variable: 'LIMIT_STATEMENT_MILLISECONDS',
    about: 'time limit for an SQL statement in milliseconds',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;
export type Limits = Readonly<Record<LimitName, number>>;

export const DEFAULT_LIMITS: Limits = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, limit]) => [name, limit.value]),
) as Limits;
