import type { CallOutcome } from '../../connectors/platform-access.js';
import { databaseTime } from '../../db/clock.js';

/** Measurements from a run's calls to its platform: bytes, and the lag of the platform's clock. */
export class Traffic {
  private bytes = 0;
  /** Milliseconds that the platform's clock is behind the database's, as far as its answers tell. */
  behindMs = 0;

  readonly note = ({ length, answeredAt }: CallOutcome): void => {
    this.bytes += length;
    this.behindMs = Math.max(this.behindMs, behindOf(answeredAt));
  };

  /** Total length of the answers since the last call of this. */
  readonly takeBytes = (): number => {
    const taken = this.bytes;
    this.bytes = 0;
    return taken;
  };
}

/** Milliseconds that a platform's clock is behind; it has whole seconds, and a clock a day behind is ignored. */
function behindOf(answeredAt: Date | undefined): number {
  if (!answeredAt) return 0;
  const behind = databaseTime().getTime() - answeredAt.getTime() - 1000;
  return behind > 0 && behind < 24 * 3_600_000 ? behind : 0;
}
