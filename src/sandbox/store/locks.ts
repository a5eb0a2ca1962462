/**
 * One writer at a time per account. Readers wait for the current writer, so that a change that a list misses, because
 * it is not committed yet, has a time after the list was requested.
 */
export class AccountLocks {
  private readonly tails = new Map<number, Promise<unknown>>();

  /** Runs `work` after all earlier work on the account. */
  exclusively<Result>(account: number, work: () => Promise<Result>): Promise<Result> {
    const turn = this.settled(account).then(work);
    const tail = turn.catch(() => undefined);
    this.tails.set(account, tail);
    void tail.then(() => {
      if (this.tails.get(account) === tail) this.tails.delete(account);
    });
    return turn;
  }

  /** Resolves when the changes in progress have ended. */
  async settled(account: number): Promise<void> {
    await this.tails.get(account);
  }
}
