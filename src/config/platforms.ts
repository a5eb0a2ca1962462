import { integer, share, webUrl } from './parsers.js';
import type { Variables } from './variables.js';

/** Where platforms are, and how carefully they are read and written. */
export interface PlatformSettings {
  /** Base URLs that replace the platforms' usual ones, by integration type. */
  readonly platformUrls: Readonly<Record<string, string>>;
  /** Maximum share of a record type that one sync's deletion sweep may remove. */
  readonly maxDeletedShare: number;
  /** Interval of reading the list of all ids in incremental syncs, where only that list shows deletions. */
  readonly sweepHours: number;
  /**
   * How long to search for a write whose response was lost before retrying it, if no idempotency key makes a retry
   * safe.
   */
  readonly lateAnswerSeconds: number;
}

/** Each of the integration types has an address, `<TYPE>_URL`. */
export const readPlatforms = (
  variables: Variables,
  integrationTypes: readonly string[],
): PlatformSettings => ({
  platformUrls: Object.fromEntries(
    integrationTypes.flatMap((type) => {
      const url = variables.read<string | null>(urlVariable(type), webUrl, null);
      return url === null ? [] : [[type, url]];
    }),
  ),
  maxDeletedShare: variables.read('SYNC_MAX_DELETED_SHARE', share, 0.3),
  sweepHours: variables.read('SYNC_SWEEP_HOURS', integer(0, 8760), 24),
  lateAnswerSeconds: variables.read('LATE_ANSWER_SECONDS', integer(0, 600), 10),
});

/** `SVC_SANDBOX` belongs to the service: its variable is SANDBOX_URL. */
const urlVariable = (integrationType: string): string => `${integrationType.replace(/^SVC_/, '')}_URL`;
