/** How far the primary's log was at a time of this process's own clock. */
interface Sample {
  readonly at: number;
  readonly lsn: bigint;
}

/** Beyond this nobody wants to know how much more it is. */
const MAX_SAMPLES = 3600;

/**
 * How long ago the primary was where a standby is now. Both are asked where their logs are, and one clock, this process's,
 * says when: a standby of a primary at rest does not lag, however long ago its last transaction was.
 */
export class Lag {
  readonly #samples: Sample[] = [];

  /** Notes where the primary is. One that took over after a failure may have lost what the one before it had written. */
  note(sample: Sample): void {
    while ((this.#samples.at(-1)?.lsn ?? 0n) > sample.lsn) this.#samples.pop();
    this.#samples.push(sample);
    // The first one stays: before it a standby lacks what this build has migrated.
    if (this.#samples.length > MAX_SAMPLES) this.#samples.splice(1, 1);
  }

  /** Seconds that a server which has replayed the log up to `lsn` is behind; null before the primary was asked. */
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

  /** Whether a server has what the primary had when this process began. */
  hasBeginning(lsn: bigint): boolean {
    const [first] = this.#samples;
    return first !== undefined && lsn >= first.lsn;
  }

  /** Whether a server has replayed what the primary, asked after it, has not written: it follows another one. */
  isAhead(lsn: bigint): boolean {
    const last = this.#samples.at(-1);
    return last !== undefined && lsn > last.lsn;
  }
}

/** A place in the log as PostgreSQL writes it: `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
