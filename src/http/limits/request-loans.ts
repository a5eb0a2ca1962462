/** A counted party: a key of an organisation, or with an empty `keyId` all its keys. */
export interface Counted {
  readonly organisationId: number;
  readonly keyId: string;
  /** Maximum per minute. */
  readonly max: number;
}

/** A process's loan request. */
export interface Ask extends Counted {
  readonly wanted: number;
  /** Unused rest of its last loan, which was for the minute that ends then. */
  readonly givenBack: number;
  readonly minuteEnd: number;
}

/** Loans granted, in the order of the requests. */
export interface Loan {
  readonly loan: number;
  /** Lent in the minute to all processes. */
  readonly lentInAll: number;
  readonly minuteEnd: number;
  readonly millisecondsLeft: number;
}

export type Borrow = (asks: readonly Ask[]) => Promise<readonly Loan[]>;

/** Whether a request is admitted, and its rate limit headers. */
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
  /** Until when the rest may be spent, or no new loan is requested after a refusal. */
  until: number;
  /** Since the last loan. */
  spent: number;
  readonly waiting: (() => void)[];
}

const LOAN_MS = 1000;

/**
 * Counts requests across processes: each borrows from the database what it may admit in the next second, and returns
 * the unused rest. So the limit is never exceeded, and no request needs its own statement: a process has one in flight
 * at a time, for all keys together. Without the database a process grants itself a second's worth.
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

  /** Takes one request; waits if nothing is borrowed. */
  take(counted: Counted): Verdict | Promise<Verdict> {
    const account = this.#accountOf(counted);
    return this.#spend(account) ?? this.#whenLent(account);
  }

  /** Returns one for a request that is not processed. */
  giveBack(counted: Counted): void {
    const account = this.#accountOf(counted);
    if (this.now() < account.until) account.left += 1;
  }

  #spend(account: Account): Verdict | null {
    const { left, until, counted } = account;
    const now = this.now();
    if (now >= until) return null;
    // Others may return what this process needs: it asks again after its second.
    if (left === 0 && account.lentInAll < counted.max) return null;
    if (left > 0) {
      account.left -= 1;
      account.spent += 1;
    }
    return {
      isAdmitted: left > 0,
      remaining: Math.max(0, counted.max - account.lentInAll) + account.left,
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
    // Requests that arrived meanwhile, after the ones above.
    setImmediate(() => void this.#ask());
  }

  /** A second's worth of the minute's limit or of recent demand; more if the last loan was spent early. */
  #wantedBy({ waiting, spent, until, counted }: Account): number {
    if (waiting.length === 0) return 0;
    const needed = this.now() < until ? spent * 2 : spent;
    return Math.max(waiting.length, needed, Math.ceil(counted.max / 60));
  }

  /** Returns loans that were not spent in their second: others may need them. */
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
  const loan = waiting.length === 0 ? 0 : Math.max(waiting.length, Math.ceil(counted.max / 60));
  return { loan, lentInAll: 0, minuteEnd: 0, millisecondsLeft: LOAN_MS };
}
