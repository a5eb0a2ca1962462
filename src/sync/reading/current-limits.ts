import type { TenantClient } from '../../db/tenant-client.js';
import { WithheldAccess } from '../../platforms/scope-access.js';
import type { ClaimedRun } from '../state/run-state.js';
import { loadReadLimits, type ReadLimits } from '../sync-config.js';

/** The company's settings are read again for the next record type or page after this time. */
const MAX_AGE_MS = 5000;

/** The company's read limits by record type, as of a few seconds ago. */
export class CurrentReadLimits {
  private readAt = 0;
  private types: ReadonlyMap<string, ReadLimits> = new Map();

  private constructor(
    private readonly client: TenantClient,
    private readonly run: ClaimedRun,
  ) {}

  static async read(client: TenantClient, run: ClaimedRun): Promise<CurrentReadLimits> {
    const limits = new CurrentReadLimits(client, run);
    await limits.renew();
    return limits;
  }

  /** Throws WithheldAccess if the record type may not be read, or no longer. */
  async requireRead(dataModel: string): Promise<void> {
    if (performance.now() - this.readAt > MAX_AGE_MS) await this.renew();
    if (!this.mayRead(dataModel)) throw new WithheldAccess('read', dataModel);
  }

  mayRead(dataModel: string): boolean {
    return this.types.get(dataModel)?.mayRead !== false;
  }

  /** Records older than this are not read. */
  oldestOf(dataModel: string): Date | null {
    return this.types.get(dataModel)?.oldest ?? null;
  }

  private async renew(): Promise<void> {
    const readAt = performance.now();
    this.types = await loadReadLimits(this.client, this.run);
    this.readAt = readAt;
  }
}
