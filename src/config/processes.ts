import { integer, oneOf } from './parsers.js';
import type { Variables } from './variables.js';

const ROLES = ['all', 'gateway', 'worker'] as const;

/** Role and concurrency of this process. */
export interface ProcessSettings {
  /** Whether this process answers requests, runs jobs, or both. */
  readonly role: (typeof ROLES)[number];
  /** Number of gateway processes; if more than one, the primary forks them. */
  readonly workers: number;
  /** Maximum concurrent jobs in this process. */
  readonly workerConcurrency: number;
}

export const readProcesses = (variables: Variables): ProcessSettings => ({
  role: variables.read('ROLE', oneOf(ROLES), 'all'),
  workers: variables.read('WORKERS', integer(1, 64), 1),
  workerConcurrency: variables.read('WORKER_CONCURRENCY', integer(1, 100), 10),
});
