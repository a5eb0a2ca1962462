/** A limit: its default, its environment variable, and what it limits. */
interface Limit {
  readonly value: number;
  readonly variable: string;
  readonly about: string;
}

/** Every limit that a request can hit. `docs/limits.md` is written from this table. */
export const LIMIT_TABLE = {
  pageSize: { value: 100, variable: 'LIMIT_PAGE_SIZE', about: 'records in a page when nothing is asked for' },
  nestedPageSize: {
    value: 20,
    variable: 'LIMIT_NESTED_PAGE_SIZE',
    about: 'records in a nested connection when nothing is asked for',
  },
  maxPageSize: { value: 1000, variable: 'LIMIT_MAX_PAGE_SIZE', about: '`first`, `last` and `limit`' },
  take: { value: 100, variable: 'LIMIT_TAKE', about: '`take` of `.../all` when it is absent' },
  maxTake: { value: 500, variable: 'LIMIT_MAX_TAKE', about: '`take` of `.../all`' },
  maxSkip: { value: 1_000_000, variable: 'LIMIT_MAX_SKIP', about: '`skip`; page by cursor beyond it' },
  expandedRecords: {
    value: 1000,
    variable: 'LIMIT_EXPANDED_RECORDS',
    about: 'records of one expanded to-many relation of one REST record',
  },
  filterConditions: {
    value: 50,
    variable: 'LIMIT_FILTER_CONDITIONS',
    about: 'comparisons in one `filter`',
  },
  filterValues: { value: 1000, variable: 'LIMIT_FILTER_VALUES', about: 'values of one `in` or `notIn`' },
  orderFields: { value: 5, variable: 'LIMIT_ORDER_FIELDS', about: 'fields in one `orderBy`' },
  queryCost: {
    value: 20_000,
    variable: 'LIMIT_QUERY_COST',
    about:
      'cost of a GraphQL operation: the records that it may ask for by page sizes, and the weights below',
  },
  queryDepth: {
    value: 12,
    variable: 'LIMIT_QUERY_DEPTH',
    about: 'depth of a GraphQL operation; `edges`, `node`, `nodes` and introspection do not count',
  },
  queryAliases: {
    value: 100,
    variable: 'LIMIT_QUERY_ALIASES',
    about: 'aliases in a GraphQL document, `__typename` included',
  },
  queryRootFields: {
    value: 20,
    variable: 'LIMIT_QUERY_ROOT_FIELDS',
    about: 'root fields of a GraphQL operation',
  },
  queryFragments: { value: 100, variable: 'LIMIT_QUERY_FRAGMENTS', about: 'fragments of a GraphQL document' },
  queryFields: {
    value: 5000,
    variable: 'LIMIT_QUERY_FIELDS',
    about: 'fields of a GraphQL document, its fragments written out',
  },
  selectionFields: {
    value: 500,
    variable: 'LIMIT_SELECTION_FIELDS',
    about:
      'fields of one selection of a GraphQL document, its fragments written out and repeated fields joined',
  },
  selectionRepeats: {
    value: 100,
    variable: 'LIMIT_SELECTION_REPEATS',
    about: 'times that the same field or alias is in such a selection',
  },
  queryTokens: { value: 4000, variable: 'LIMIT_QUERY_TOKENS', about: 'tokens of a GraphQL document' },
  queryBytes: {
    value: 100_000,
    variable: 'LIMIT_QUERY_BYTES',
    about: 'bytes of the text of a GraphQL document',
  },
  variableValues: {
    value: 50_000,
    variable: 'LIMIT_VARIABLE_VALUES',
    about: 'values in the variables of a GraphQL query or in `filter` of `.../all`; an object counts as 100',
  },
  bodyBytes: { value: 1_000_000, variable: 'LIMIT_BODY_BYTES', about: 'bytes of a request body' },
  largeBodyBytes: {
    value: 10_000_000,
    variable: 'LIMIT_LARGE_BODY_BYTES',
    about: 'bytes of a request body of `/graphql` and of bulk writes, for keys that may write',
  },
  bodyValues: {
    value: 250_000,
    variable: 'LIMIT_BODY_VALUES',
    about: 'values in a JSON body, counted by its commas and opening brackets',
  },
  numberDigits: {
    value: 1000,
    variable: 'LIMIT_NUMBER_DIGITS',
    about: 'digits of one number in a JSON body',
  },
  heldBodyBytes: {
    value: 50_000_000,
    variable: 'LIMIT_HELD_BODY_BYTES',
    about:
      'bytes of JSON bodies and of texts in forms that a process holds at a time; one organisation may have half of them',
  },
  heldRowBytes: {
    value: 0,
    variable: 'LIMIT_HELD_ROW_BYTES',
    about:
      'bytes of rows that a process holds until what they are answered with has left; of one organisation half of them; pages of exports, event streams and subscriptions wait where half of that is taken; 0 is an eighth of its heap',
  },
  waitingRequests: {
    value: 4000,
    variable: 'LIMIT_WAITING_REQUESTS',
    about: 'requests that wait for their turn in a process; of one organisation half of them',
  },
  waitingStatements: {
    value: 2000,
    variable: 'LIMIT_WAITING_STATEMENTS',
    about: 'SQL statements that wait for a connection in a process; of one organisation half of them',
  },
  jsonDepth: {
    value: 64,
    variable: 'LIMIT_JSON_DEPTH',
    about: "nesting of a JSON body, and of a platform's answer to a passthrough",
  },
  requestsPerMinute: {
    value: 1000,
    variable: 'LIMIT_REQUESTS_PER_MINUTE',
    about: 'requests of one API key in a minute; 0 switches the limit off',
  },
  organisationRequestsPerMinute: {
    value: 5000,
    variable: 'LIMIT_ORGANISATION_REQUESTS_PER_MINUTE',
    about: 'requests of one organisation in a minute, all its keys together; 0 switches the limit off',
  },
  failedKeysPerMinute: {
    value: 60,
    variable: 'LIMIT_FAILED_KEYS_PER_MINUTE',
    about: 'unknown API keys from one address in a minute; 0 switches the limit off',
  },
  hooksPerMinute: {
    value: 600,
    variable: 'LIMIT_HOOKS_PER_MINUTE',
    about: "requests of a platform's webhooks for one integration in a minute; 0 switches the limit off",
  },
  subscriptions: {
    value: 100,
    variable: 'LIMIT_SUBSCRIPTIONS',
    about: 'subscriptions and event streams of one API key at a time',
  },
  slowReaderMilliseconds: {
    value: 30_000,
    variable: 'LIMIT_SLOW_READER_MILLISECONDS',
    about: 'time that a caller may leave an answer, or a subscriber an event, unread',
  },
  queryMilliseconds: {
    value: 10_000,
    variable: 'LIMIT_QUERY_MILLISECONDS',
    about: 'time for a whole query',
  },
  mutationMilliseconds: {
    value: 55_000,
    variable: 'LIMIT_MUTATION_MILLISECONDS',
    about: 'time for a whole mutation',
  },
  passthroughMilliseconds: {
    value: 30_000,
    variable: 'LIMIT_PASSTHROUGH_MILLISECONDS',
    about: "time for a platform's answer to a passthrough",
  },
  passthroughBytes: {
    value: 10_000_000,
    variable: 'LIMIT_PASSTHROUGH_BYTES',
    about: "bytes of a platform's answer to a passthrough, decompressed",
  },
  maxWebhooks: {
    value: 100,
    variable: 'LIMIT_WEBHOOKS',
    about: 'webhooks of one organisation',
  },
  fieldMappings: {
    value: 500,
    variable: 'LIMIT_FIELD_MAPPINGS',
    about: 'field mappings of one organisation',
  },
  indexedFields: {
    value: 10,
    variable: 'LIMIT_INDEXED_FIELDS',
    about: 'field mappings of one organisation that have an index',
  },
  writeItems: { value: 1000, variable: 'LIMIT_WRITE_ITEMS', about: 'items in one bulk write' },
  writeWaitMilliseconds: {
    value: 25_000,
    variable: 'WRITE_WAIT_MS',
    about: 'time that a write waits for its platform before it answers PENDING',
  },
  fileBytes: {
    value: 25_000_000,
    variable: 'LIMIT_FILE_BYTES',
    about: 'bytes of the file of a document',
  },
  fileMilliseconds: {
    value: 45_000,
    variable: 'LIMIT_FILE_MILLISECONDS',
    about: 'time for a platform to send or to take the file of a document',
  },
  downloadSeconds: {
    value: 900,
    variable: 'LIMIT_DOWNLOAD_SECONDS',
    about: 'seconds that a `download_url` works',
  },
  statementMilliseconds: {
    value: 8000,
    variable: 'LIMIT_STATEMENT_MILLISECONDS',
    about: 'time for one SQL statement',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;
export type Limits = Readonly<Record<LimitName, number>>;

export const DEFAULT_LIMITS: Limits = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, limit]) => [name, limit.value]),
) as Limits;
