/** Cache size for prepared operations: there are more sets of expand and select than anybody uses. */
const MAX_REMEMBERED = 64;

/** Creates a value on first use, and keeps it. */
export function lazily<Made>(make: () => Made): () => Made {
  let kept: { readonly made: Made } | null = null;
  return () => (kept ??= { made: make() }).made;
}

/** Keeps what was made, by the values it was made from. */
export function remember<From extends object, Made>(
  make: (from: From) => Made,
  keyOf: (from: From) => string = (from) => Object.values(from).join('|'),
): (from: From) => Made {
  const kept = new Map<string, Made>();
  return (from) => {
    const key = keyOf(from);
    let made = kept.get(key);
    if (made === undefined) {
      if (kept.size >= MAX_REMEMBERED) kept.clear();
      kept.set(key, (made = make(from)));
    }
    return made;
  };
}
