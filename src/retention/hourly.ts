const HOUR_MS = 3_600_000;

/** `work`, at most once an hour however often it is asked for; one that failed is tried again at the next call. */
export function hourly(work: () => Promise<void>): () => Promise<void> {
  let due = 0;
  return async () => {
    if (performance.now() < due) return;
    await work();
    due = performance.now() + HOUR_MS;
  };
}
