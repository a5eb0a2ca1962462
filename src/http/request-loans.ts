/** Whose requests are counted: a key of an organisation or, with an empty `keyId`, all of them. */
export interface Counted {
  readonly organisationId: number;
  readonly keyId: string;
  /** How many a minute. */
  readonly most: number;
}

/** What a process asks for. */
export interface Ask extends Counted {
  readonly wanted: number;
  /** What is left of its last loan, which was of the minute that ends then. */
  readonly givenBack: number;
  readonly minuteEnd: number;
}

/** What it is given, in the order of the asks. */
export interface Loan {
  readonly loan: number;
  /** Of the minute, to all processes. */
  readonly lentInAll: number;
  readonly minuteEnd: number;
  readonly millisecondsLeft: number;
}

export type Borrow = (asks: readonly Ask[]) => Promise<readonly Loan[]>;

/** Whether a request may go on, and what its caller is told. */
export interface Verdict {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  /** Until the minute ends. */
  readonly seconds: number;
}

interface Account {
  readonly counted: Counted;
  left: number;
  lentInAll: number;
  minuteEnd: number;
  minuteEndsAt: number;
  /** Until when what is left may be spent, or nothing is asked for in vain. */
  until: number;
  /** Since the last loan. */
  spent: number;
  readonly waiting: (() => void)[];
}

const LOAN_MS = 1000;

/**
 * Counts requests across processes: each borrows what it may admit in the next second from the database, and gives back
 * what it has not. So no more are admitted than there may be, and no request needs a statement of its own: a process has one
 * under way at a time, for all keys together. Without its database a process lends itself a second's worth.
 */
export class RequestLoans {
  readonly #accounts = new Map<string, Account>();
  readonly #short = new Set<Account>();
  #isAsking = false;
  #sweep: NodeJS.Timeout | null = null;

  constructor(
    private readonly borrow: Borrow,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one request; waits where nothing is borrowed. */
  take(counted: Counted): Verdict | Promise<Verdict> {
    const account = this.#accountOf(counted);
    return this.#spend(account) ?? this.#whenLent(account);
  }

  /** Gives one back that was taken, for a request that goes on nowhere. */
  giveBack(counted: Counted): void {
    const account = this.#accountOf(counted);
    if (this.now() < account.until) account.left += 1;
  }

  #spend(account: Account): Verdict | null {
    const { left, until, counted } = account;
    const now = this.now();
    if (now >= until) return null;
    // Others may give back what this process would need: it asks again when its second is over.
    if (left === 0 && account.lentInAll < counted.most) return null;
    if (left > 0) {
      account.left -= 1;
      account.spent += 1;
    }
    return {
      isAdmitted: left > 0,
      remaining: Math.max(0, counted.most - account.lentInAll) + account.left,
      seconds: Math.max(1, Math.ceil((account.minuteEndsAt - now) / 1000)),
    };
  }

  async #whenLent(account: Account): Promise<Verdict> {
    for (;;) {
      await new Promise<void>((resolve) => {
        account.waiting.push(resolve);
        this.#short.add(account);
        if (!this.#isAsking) process.nextTick(() => void this.#ask());
      });
      const verdict = this.#spend(account);
      if (verdict) return verdict;
    }
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.#short.size === 0) return;
    this.#isAsking = true;
    const accounts = [...this.#short];
    this.#short.clear();
    const askedAt = this.now();
    const asks = accounts.map((account): Ask => {
      const { counted, minuteEnd } = account;
      const ask = { ...counted, wanted: this.#wantedBy(account), givenBack: account.left, minuteEnd };
      account.left = 0;
      return ask;
    });
    const loans = await this.borrow(asks).catch(() => null);
    accounts.forEach((account, index) => {
      const loan = loans?.[index] ?? ownLoan(account);
      account.left = loan.loan;
      account.lentInAll = loan.lentInAll;
      account.minuteEnd = loan.minuteEnd;
      account.minuteEndsAt = askedAt + loan.millisecondsLeft;
      account.until = Math.min(this.now() + LOAN_MS, account.minuteEndsAt);
      account.spent = 0;
      const waiting = account.waiting.splice(0);
      if (waiting.length === 0 && loan.loan === 0) this.#forget(account);
      for (const resume of waiting) resume();
    });
    this.#isAsking = false;
    this.#sweep ??= setTimeout(() => this.#giveBackOld(), LOAN_MS).unref();
    // Those who came meanwhile, once the ones above have spent theirs.
    setImmediate(() => void this.#ask());
  }

  /** A second's worth: of the minute, or of what was needed lately; more where that was spent before its time. */
  #wantedBy({ waiting, spent, until, counted }: Account): number {
    if (waiting.length === 0) return 0;
    const needed = this.now() < until ? spent * 2 : spent;
    return Math.max(waiting.length, needed, Math.ceil(counted.most / 60));
  }

  /** What was not spent in its second may be needed elsewhere. */
  #giveBackOld(): void {
    this.#sweep = null;
    const now = this.now();
    for (const account of this.#accounts.values()) {
      if (now < account.until || account.waiting.length > 0) continue;
      if (account.left > 0 && now < account.minuteEndsAt) this.#short.add(account);
      else this.#forget(account);
    }
    if (this.#accounts.size > 0) this.#sweep = setTimeout(() => this.#giveBackOld(), LOAN_MS).unref();
    void this.#ask();
  }

  #accountOf(counted: Counted): Account {
    const name = nameOf(counted);
    let account = this.#accounts.get(name);
    if (!account) {
      const none = { left: 0, lentInAll: 0, minuteEnd: 0, minuteEndsAt: 0, until: 0, spent: 0 };
      account = { counted, waiting: [], ...none };
      this.#accounts.set(name, account);
    }
    return account;
  }

  #forget({ counted }: Account): void {
    this.#accounts.delete(nameOf(counted));
  }
}

const nameOf = ({ organisationId, keyId }: Counted): string => `${organisationId} ${keyId}`;

function ownLoan({ counted, waiting }: Account): Loan {
  const loan = waiting.length === 0 ? 0 : Math.max(waiting.length, Math.ceil(counted.most / 60));
  return { loan, lentInAll: 0, minuteEnd: 0, millisecondsLeft: LOAN_MS };
}
