const HOUR_MS = 3_600_000;

/**
 * Runs `work` at most once an hour, however often it is called. After a failure, or if more is left, the next call runs
 * it again.
 */
export function hourly(work: () => Promise<{ readonly isMoreLeft: boolean }>): () => Promise<void> {
  let due = 0;
  return async () => {
    if (performance.now() < due) return;
    const { isMoreLeft } = await work();
    if (!isMoreLeft) due = performance.now() + HOUR_MS;
  };
}
