/**
 * One writer at a time for each account, and readers that wait for the writer that is under way: what a list leaves out
 * because it is not committed yet gets a time after the list was asked for.
 */
export class AccountLocks {
  private readonly tails = new Map<number, Promise<unknown>>();

  /** Runs `work` after all that was asked for before it. */
  exclusively<Result>(account: number, work: () => Promise<Result>): Promise<Result> {
    const turn = this.settled(account).then(work);
    const tail = turn.catch(() => undefined);
    this.tails.set(account, tail);
    void tail.then(() => {
      if (this.tails.get(account) === tail) this.tails.delete(account);
    });
    return turn;
  }

  /** Ends when the changes that are under way now have ended. */
  async settled(account: number): Promise<void> {
    await this.tails.get(account);
  }
}
