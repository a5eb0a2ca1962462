/** Concurrent callers share one piece of work. */
export function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () =>
    (running ??= work().finally(() => {
      running = null;
    }));
}
