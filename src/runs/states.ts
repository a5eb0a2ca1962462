/**
 * The states of work that outlives its worker, with their legal transitions: the only place for these names. States
 * without a transition are final; a run that was given up is over until it is retried.
 */
const MOVES = {
  sync: {
    PENDING: ['RUNNING', 'FAILED'],
    RUNNING: ['RUNNING', 'SLEEPING', 'INTERRUPTED', 'SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'GIVEN_UP'],
    /** Its platform asked for a pause, or is down. */
    SLEEPING: ['RUNNING', 'FAILED'],
    /** Its worker handed it back, or died. */
    INTERRUPTED: ['RUNNING', 'FAILED'],
    SUCCESS: [],
    PARTIAL_SUCCESS: [],
    FAILED: [],
    /** Given up after repeated worker deaths; continues from its last checkpoint when retried. */
    GIVEN_UP: ['INTERRUPTED'],
  },
  job: {
    /** Without anything to store it ends where it starts. */
    CREATED: ['RUNNING', 'SUCCESS', 'FAILED'],
    RUNNING: ['SUCCESS', 'FAILED'],
    SUCCESS: [],
    FAILED: [],
  },
  upload: {
    /** Without anything to send it ends where it starts. */
    PENDING: ['RUNNING', 'SUCCESS', 'PARTIAL_SUCCESS', 'FAILED'],
    RUNNING: ['RUNNING', 'PENDING', 'SLEEPING', 'SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'GIVEN_UP'],
    /** Its platform asked for a pause, or an item is to be retried later. */
    SLEEPING: ['RUNNING'],
    SUCCESS: [],
    PARTIAL_SUCCESS: [],
    FAILED: [],
    /** Given up after repeated worker deaths; its open items continue when it is retried. */
    GIVEN_UP: ['PENDING'],
  },
  item: {
    PENDING: ['PENDING', 'SENDING', 'FAILED'],
    /** Committed before anything is sent: a worker that finds it so does not know whether the platform has it. */
    SENDING: ['SENDING', 'PENDING', 'UNCERTAIN', 'SUCCESS', 'FAILED'],
    /** The same, known to be unknown: settled before it is sent again, or given up. */
    UNCERTAIN: ['UNCERTAIN', 'SENDING', 'SUCCESS', 'FAILED'],
    SUCCESS: [],
    FAILED: [],
  },
} as const;

type Kind = keyof typeof MOVES;
export type StateOf<K extends Kind> = Extract<keyof (typeof MOVES)[K], string>;
export type AnyState = { [K in Kind]: StateOf<K> }[Kind];
export type SyncState = StateOf<'sync'>;
export type JobState = StateOf<'job'>;
export type UploadState = StateOf<'upload'>;
export type ItemState = StateOf<'item'>;

const movesOf = <K extends Kind>(kind: K) => MOVES[kind] as Readonly<Record<StateOf<K>, readonly string[]>>;

/** Ended, but can be retried. */
export const GIVEN_UP = 'GIVEN_UP' satisfies SyncState & UploadState;

/** All states of a kind. */
export const statesOf = <K extends Kind>(kind: K): readonly StateOf<K>[] =>
  Object.keys(MOVES[kind]) as StateOf<K>[];

export const isOver = <K extends Kind>(kind: K, state: StateOf<K>): boolean =>
  state === GIVEN_UP || movesOf(kind)[state].length === 0;

/** Final states of a run, each counted when reached; a run that was given up waits for a retry. */
export const endsOf = <K extends Kind>(kind: K): readonly StateOf<K>[] =>
  statesOf(kind).filter((state) => state !== GIVEN_UP && isOver(kind, state));

const among = (column: string, states: readonly string[]): string =>
  `${column} IN (${states.map((state) => `'${state}'`).join(', ')})`;

/** The condition that what is in `column` may become `state`. */
export const mayBecomeSql = (kind: Kind, column: string, state: AnyState): string =>
  among(
    column,
    Object.entries<readonly string[]>(MOVES[kind]).flatMap(([from, next]) =>
      next.includes(state) ? [from] : [],
    ),
  );

/** The condition that what is in `column` is not over. */
export const isOpenSql = (kind: Kind, column: string): string =>
  among(
    column,
    statesOf(kind).filter((state) => !isOver(kind, state)),
  );

/** The condition that the state in one column may become the state in another. */
export const isMoveSql = (kind: Kind, from: string, to: string): string => {
  const moves = Object.entries<readonly string[]>(MOVES[kind]).flatMap(([state, next]) =>
    next.map((one) => `('${state}', '${one}')`),
  );
  return `(${from}, ${to}) IN (${moves.join(', ')})`;
};
