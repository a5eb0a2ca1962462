/** The primary's log position at a time of this process's clock. */
interface Sample {
  readonly at: number;
  readonly lsn: bigint;
}

/** A longer lag need not be known exactly. */
const MAX_SAMPLES = 3600;

/**
 * How long ago the primary was at a standby's current log position. Both report log positions, timed by this process's
 * clock only: a standby of an idle primary does not lag, however old its last transaction.
 */
export class Lag {
  readonly #samples: Sample[] = [];

  /** Notes the primary's position. After a failover the new primary may lack what the old one had written. */
  note(sample: Sample): void {
    while ((this.#samples.at(-1)?.lsn ?? 0n) > sample.lsn) this.#samples.pop();
    this.#samples.push(sample);
    // Keeps the first sample: before it a standby lacks this build's migrations.
    if (this.#samples.length > MAX_SAMPLES) this.#samples.splice(1, 1);
  }

  /** Lag in seconds of a server that has replayed up to `lsn`; null before the primary was checked. */
  secondsOf(lsn: bigint, now: number): number | null {
    if (this.#samples.length === 0) return null;
    let [low, high] = [0, this.#samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#samples[middle]?.lsn ?? 0n) > lsn) high = middle;
      else low = middle + 1;
    }
    const beyond = this.#samples[low];
    return beyond ? Math.max(0, now - beyond.at) / 1000 : 0;
  }

  /** Whether a server has replayed what the primary had when this process started. */
  hasBeginning(lsn: bigint): boolean {
    const [first] = this.#samples;
    return first !== undefined && lsn >= first.lsn;
  }

  /** Whether a server has replayed more than the primary, checked after it, has written: it follows another primary. */
  isAhead(lsn: bigint): boolean {
    const last = this.#samples.at(-1);
    return last !== undefined && lsn > last.lsn;
  }
}

/** Parses a log position as PostgreSQL writes it: `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
