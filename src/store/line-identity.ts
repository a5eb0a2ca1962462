/** A line as stored. Equal lines have equal `content`. */
export interface StoredLine {
  readonly svcId: number;
  readonly platformId: string;
  readonly position: number;
  readonly content: string;
}

interface ArrivedLine {
  readonly platformId: string | null;
  readonly content: string;
}

/**
 * Which stored line each incoming line continues: the one with the platform's line id, else one of equal content, else
 * the one at its position. A svc_id stays with its line; null is a new one.
 */
export function matchLines(
  stored: readonly StoredLine[],
  arrived: readonly ArrivedLine[],
): (StoredLine | null)[] {
  const free = new Set(stored);
  const matched: (StoredLine | null)[] = arrived.map(() => null);
  /** Equal keys fit: each line takes the first stored one that is free. */
  const take = (
    keyOf: (line: StoredLine) => string | number,
    wantedBy: (line: ArrivedLine, position: number) => string | number | null,
  ) => {
    const candidates = new Map<string | number, StoredLine[]>();
    for (const line of [...free].reverse()) {
      const others = candidates.get(keyOf(line));
      if (others) others.push(line);
      else candidates.set(keyOf(line), [line]);
    }
    arrived.forEach((line, position) => {
      const wanted = matched[position] ? null : wantedBy(line, position);
      const candidate = wanted === null ? undefined : candidates.get(wanted)?.pop();
      if (!candidate) return;
      matched[position] = candidate;
      free.delete(candidate);
    });
  };
  const ifUnnamed =
    <Key>(key: (line: ArrivedLine, position: number) => Key) =>
    (line: ArrivedLine, position: number) =>
      line.platformId === null ? key(line, position) : null;
  take(
    ({ platformId }) => platformId,
    ({ platformId }) => platformId,
  );
  take(
    ({ content }) => content,
    ifUnnamed(({ content }) => content),
  );
  take(
    ({ position }) => position,
    ifUnnamed((_line, position) => position),
  );
  return matched;
}
