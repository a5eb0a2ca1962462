import type { Pool } from 'pg';
import type { FaultRules } from './gate/faults.js';
import type { Limiter } from './gate/limits.js';
import type { Statistics } from './gate/statistics.js';
import type { Logger } from '../telemetry/log.js';
import type { Hooks } from './hooks.js';
import type { Settings } from './settings.js';
import type { AccountLocks } from './store/locks.js';

/** Shared state of the sandbox. */
export interface SandboxContext {
  readonly pool: Pool;
  readonly locks: AccountLocks;
  readonly settings: Settings;
  readonly limiter: Limiter;
  readonly faults: FaultRules;
  readonly statistics: Statistics;
  readonly hooks: Hooks;
  readonly log: Logger;
}
