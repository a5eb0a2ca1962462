/**
 * Maps the elements of a source by `received`, requesting the next one while the current one is being processed.
 * `received` runs when an element arrives and does all work that can be done ahead; the element is not kept. Errors of
 * the source or of `received` are thrown in their turn.
 */
export async function* readAhead<Element, Received>(
  source: AsyncIterable<Element>,
  received: (element: Element) => Received | Promise<Received>,
): AsyncGenerator<Received, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const ask = async () => {
    const result = await iterator.next();
    return result.done ? null : { received: await received(result.value) };
  };
  let next = ask();
  try {
    for (;;) {
      const current = await next;
      if (current === null) return;
      next = ask();
      // Its result is handled in its turn, or not at all.
      next.catch(() => undefined);
      yield current.received;
    }
  } finally {
    // Reads in flight end by themselves.
    void iterator.return?.().catch(() => undefined);
  }
}
