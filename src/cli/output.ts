/** A table for people: a head in capitals, columns aligned. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head.map((title) => title.toUpperCase()), ...rows];
  return columns(lines)
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('');
}

/** The cells of each column at one width. */
export function columns(rows: readonly (readonly string[])[]): string[][] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => length(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - length(cell))),
  );
}

/** In characters, not in the units of UTF-16. */
const length = (text: string) => [...text].length;

/** To the minute, in UTC; what is absent as the given word. */
export function formatTime(time: Date | null, absent: string): string {
  return time ? `${time.toISOString().slice(0, 16)}Z` : absent;
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
