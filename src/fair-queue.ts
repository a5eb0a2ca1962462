import { AppError } from './errors.js';

/** For whom something is done: a key of an organisation, or the organisation itself. */
export interface Claimant {
  readonly organisationId: number;
  readonly keyId: string | null;
}

/** Takes the place that it is given; false where nobody is there any more to take it. */
type Begin = () => boolean;

interface FairQueueOptions {
  /** How much is done at a time. */
  readonly places: number;
  /** How much of that for one organisation. */
  readonly perOrganisation: number;
  /** How much may wait; of one organisation half of it. */
  readonly mostWaiting: number;
  /** What waits, in the words of a refusal: 'requests'. */
  readonly what: string;
}

/** The claims of one organisation, or of one key within it. */
interface Share {
  taken: number;
  waiting: number;
  /** When it was last given a place: of equals, the one that has gone without for longest is next. */
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
 * Places that organisations share. While places are free, they are given as they are asked for; when one is given back,
 * it goes to the organisation that has the fewest of those that wait, and within it to the key that has the fewest. So a
 * share is given up only to others, and nobody waits behind all that a neighbour has asked for.
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
   * Begins now or later. Returns how to give up while it waits, null where it has begun; throws where too much waits
   * already.
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

  /** Gives a place back. */
  leave(claimant: Claimant): void {
    const party = this.#partyOf(claimant);
    const line = lineOf(party, claimant);
    this.#take(party, line, -1);
    this.#forget(party, line);
    // Not by recursion: when a service is slow, thousands may have gone.
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

  /** Taken before it begins, which may end it. */
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
    const { mostWaiting, what } = this.options;
    if (party.waiting >= mostWaiting / 2) {
      const message = `${party.waiting} ${what} of your organisation wait already; try again soon`;
      throw new AppError('rate-limited', message);
    }
    if (this.#waiting >= mostWaiting) {
      const message = `the service has as many ${what} waiting as it may; try again soon`;
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

  /** Who has nothing and waits for nothing costs no memory. */
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
