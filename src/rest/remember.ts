/** Cache size for prepared operations: there are more sets of expand and select than anybody uses. */
const MAX_REMEMBERED = 64;

/** Creates a value on first use, and keeps it. */
export function lazily<Made>(make: () => Made): () => Made {
  let kept: { readonly made: Made } | null = null;
  return () => (kept ??= { made: make() }).made;
}

/** Keeps what was made, by the values it was made from; the least recently used is dropped first. */
export function remember<From extends object, Made extends object>(
  make: (from: From) => Made,
  keyOf: (from: From) => string = (from) => Object.values(from).join('|'),
): (from: From) => Made {
  const kept = new Map<string, Made>();
  return (from) => {
    const key = keyOf(from);
    const made = kept.get(key) ?? make(from);
    // Keys are in the order in which they were set.
    kept.delete(key);
    kept.set(key, made);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_REMEMBERED) break;
      kept.delete(oldest);
    }
    return made;
  };
}
