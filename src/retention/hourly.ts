const HOUR_MS = 3_600_000;

/**
 * `work`, at most once an hour however often it is asked for. One that failed, or that answers that more is left, is done
 * again at the next call.
 */
export function hourly(work: () => Promise<{ readonly isMoreLeft: boolean }>): () => Promise<void> {
  let due = 0;
  return async () => {
    if (performance.now() < due) return;
    const { isMoreLeft } = await work();
    if (!isMoreLeft) due = performance.now() + HOUR_MS;
  };
}
