/** A line as it is stored, and one as it came. `content` is equal for equal lines. */
interface StoredLine {
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
 * Which stored line each arrived line goes on as: the one with the platform's line id, else one of equal
 * content, else the one at its position. A svc_id stays with its line; null is a new one.
 */
export function matchLines(
  stored: readonly StoredLine[],
  arrived: readonly ArrivedLine[],
): (StoredLine | null)[] {
  const free = new Set(stored);
  const matched: (StoredLine | null)[] = arrived.map(() => null);
  const take = (fits: (line: StoredLine, arrivedLine: ArrivedLine, position: number) => boolean) => {
    arrived.forEach((line, position) => {
      if (matched[position]) return;
      for (const candidate of free) {
        if (!fits(candidate, line, position)) continue;
        matched[position] = candidate;
        free.delete(candidate);
        return;
      }
    });
  };
  take((candidate, line) => line.platformId !== null && candidate.platformId === line.platformId);
  take((candidate, line) => line.platformId === null && candidate.content === line.content);
  take((candidate, line, position) => line.platformId === null && candidate.position === position);
  return matched;
}
