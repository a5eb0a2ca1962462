/** Places where an experiment stops the process: nothing may be lost or doubled wherever that happens. */
export const CRASH_POINTS = [
  'before upload is stored',
  'after upload is stored',
  'before claim',
  'after claim',
  'before items are marked',
  'after items are marked',
  'before send',
  'after send',
  'before results are stored',
  'inside the storing transaction',
  'after results are stored',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Faults that an experiment plants to see that it would find them. */
export const PLANTED_BUGS = [
  'send before commit',
  'retry without look-up',
  'no fencing',
  'result outside the transaction',
  'job outside the transaction',
  "caller's key forgotten",
  'sent without a key',
  'lost job ended',
] as const;
export type PlantedBug = (typeof PLANTED_BUGS)[number];

/** What experiments hang on; production has `NO_HOOKS`. */
export interface WriteHooks {
  at(point: CrashPoint): void;
  has(bug: PlantedBug): boolean;
  /** How long the platform's answer to a write is waited for, instead of the usual time. */
  readonly timeoutMs?: number;
}

export const NO_HOOKS: WriteHooks = { at: () => undefined, has: () => false };
