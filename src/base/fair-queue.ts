import { AppError } from '../errors.js';

/** On whose behalf work is done: a key of an organisation, or the organisation itself. */
export interface Claimant {
  readonly organisationId: number;
  readonly keyId: string | null;
}

/** Starts the work; false if its caller has gone. */
type Begin = () => boolean;

interface FairQueueOptions {
  /** Maximum concurrent work. */
  readonly places: number;
  /** Maximum of that for one organisation. */
  readonly perOrganisation: number;
  /** Maximum queue length; one organisation may use half. */
  readonly maxWaiting: number;
  /** Noun for refusal messages: 'requests'. */
  readonly what: string;
}

/** The claims of one organisation, or of one key within it. */
interface Share {
  taken: number;
  waiting: number;
  /** When it last got a place: among equals, the longest waiting is next. */
  servedAt: number;
}
interface Line extends Share {
  readonly keyId: string | null;
  readonly claims: Set<Begin>;
}
interface Party extends Share {
  readonly organisationId: number;
  readonly lines: Map<string | null, Line>;
}

/**
 * Places shared by organisations. Free places are given immediately; a returned one goes to the waiting organisation
 * with the fewest places, and within it to the key with the fewest. So an organisation may use all places while others
 * are idle, and nobody waits behind a neighbour's whole backlog.
 */
export class FairQueue {
  readonly #parties = new Map<number, Party>();
  readonly #inLine = new Set<Party>();
  #taken = 0;
  #waiting = 0;
  #clock = 0;

  constructor(private readonly options: FairQueueOptions) {}

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Begins now or later. Returns a function to cancel the wait, or null if it has begun; throws if the queue is full.
   */
  enter(claimant: Claimant, begin: Begin): (() => void) | null {
    const party = this.#partyOf(claimant);
    const line = lineOf(party, claimant);
    if (this.#taken < this.options.places && party.taken < this.options.perOrganisation) {
      this.#give(party, line, begin);
      this.#forget(party, line);
      return null;
    }
    this.#refuseTooMany(party);
    line.claims.add(begin);
    this.#wait(party, line, 1);
    return () => {
      if (!line.claims.delete(begin)) return;
      this.#wait(party, line, -1);
      this.#forget(party, line);
    };
  }

  /** Returns a place. */
  leave(claimant: Claimant): void {
    const party = this.#partyOf(claimant);
    const line = lineOf(party, claimant);
    this.#take(party, line, -1);
    this.#forget(party, line);
    // No recursion: when the service is slow, thousands of callers may have gone.
    while (this.#taken < this.options.places && this.#serveNext());
  }

  #serveNext(): boolean {
    const party = neediest(this.#inLine, ({ taken }) => taken < this.options.perOrganisation);
    const line = party && neediest(party.lines.values(), ({ waiting }) => waiting > 0);
    if (!party || !line) return false;
    for (const begin of line.claims) {
      line.claims.delete(begin);
      this.#wait(party, line, -1);
      if (this.#give(party, line, begin)) break;
    }
    this.#forget(party, line);
    return true;
  }

  /** Counted before it begins, as it may end immediately. */
  #give(party: Party, line: Line, begin: Begin): boolean {
    this.#take(party, line, 1);
    this.#clock += 1;
    party.servedAt = this.#clock;
    line.servedAt = this.#clock;
    const isTaken = begin();
    if (!isTaken) this.#take(party, line, -1);
    return isTaken;
  }

  #take(party: Party, line: Line, change: 1 | -1): void {
    this.#taken += change;
    party.taken += change;
    line.taken += change;
  }

  #wait(party: Party, line: Line, change: 1 | -1): void {
    this.#waiting += change;
    party.waiting += change;
    line.waiting += change;
    if (party.waiting > 0) this.#inLine.add(party);
    else this.#inLine.delete(party);
  }

  #refuseTooMany(party: Party): void {
    const { maxWaiting, what } = this.options;
    if (party.waiting >= maxWaiting / 2) {
      const message = `${party.waiting} ${what} of your organisation are already waiting; try again soon`;
      throw new AppError('rate-limited', message);
    }
    if (this.#waiting >= maxWaiting) {
      const message = `too many ${what} are waiting; try again soon`;
      throw new AppError('service-unavailable', message);
    }
  }

  #partyOf({ organisationId }: Claimant): Party {
    let party = this.#parties.get(organisationId);
    if (!party) {
      party = { organisationId, taken: 0, waiting: 0, servedAt: 0, lines: new Map() };
      this.#parties.set(organisationId, party);
    }
    return party;
  }

  /** Drops parties without places or waiting work, to free memory. */
  #forget(party: Party, line: Line): void {
    if (line.taken === 0 && line.waiting === 0) party.lines.delete(line.keyId);
    if (party.lines.size === 0) this.#parties.delete(party.organisationId);
  }
}

function lineOf(party: Party, { keyId }: Claimant): Line {
  let line = party.lines.get(keyId);
  if (!line) {
    line = { keyId, taken: 0, waiting: 0, servedAt: 0, claims: new Set() };
    party.lines.set(keyId, line);
  }
  return line;
}

function neediest<One extends Share>(all: Iterable<One>, mayHave: (one: One) => boolean): One | null {
  let best: One | null = null;
  for (const one of all) {
    if (!mayHave(one)) continue;
    if (!best || one.taken < best.taken || (one.taken === best.taken && one.servedAt < best.servedAt))
      best = one;
  }
  return best;
}
