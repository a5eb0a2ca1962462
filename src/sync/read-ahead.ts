/**
 * The elements of a source, of which the next one is asked for while the last one is worked on. `received` makes of each
 * what can be made ahead, when it has come and before the next is asked for; what the source throws is thrown in its turn.
 */
export async function* readAhead<Element, Received>(
  source: AsyncIterable<Element>,
  received: (element: Element) => Received,
): AsyncGenerator<readonly [Element, Received], void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const ask = async () => {
    const result = await iterator.next();
    return result.done ? null : ([result.value, received(result.value)] as const);
  };
  let next = ask();
  try {
    for (;;) {
      const current = await next;
      if (current === null) return;
      next = ask();
      // It is looked at in its turn, or not at all.
      next.catch(() => undefined);
      yield current;
    }
  } finally {
    // What is still under way ends by itself.
    void iterator.return?.().catch(() => undefined);
  }
}
