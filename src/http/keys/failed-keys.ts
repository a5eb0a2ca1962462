import { isIPv6 } from 'node:net';

const MINUTE = 60_000;
const MAX_ADDRESSES = 10_000;

/** Counts the unknown keys sent by each address in the current minute. */
export class FailedKeys {
  #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(
    private readonly max: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note(address: string): void {
    this.#renew();
    const place = networkOf(address);
    if (this.#counts.size >= MAX_ADDRESSES && !this.#counts.has(place)) this.#counts.clear();
    this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
  }

  /** Seconds until this address is unblocked; 0 if it is not blocked. */
  waitOf(address: string): number {
    this.#renew();
    if (this.max === 0 || (this.#counts.get(networkOf(address)) ?? 0) < this.max) return 0;
    return Math.max(1, Math.ceil((this.#endsAt - this.now()) / 1000));
  }

  #renew(): void {
    if (this.now() < this.#endsAt) return;
    this.#counts = new Map();
    this.#endsAt = this.now() + MINUTE;
  }
}

/** One customer owns a whole /64 of IPv6. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [first = [], last = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
