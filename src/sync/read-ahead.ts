/**
 * What `received` makes of the elements of a source, of which the next one is asked for while the last one is worked on.
 * It makes all that can be made ahead, when an element has come, and the element is not kept; what the source or it throws
 * is thrown in its turn.
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
      // It is looked at in its turn, or not at all.
      next.catch(() => undefined);
      yield current.received;
    }
  } finally {
    // What is still under way ends by itself.
    void iterator.return?.().catch(() => undefined);
  }
}
