/** A table for people: header in capitals, columns aligned. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head.map((title) => title.toUpperCase()), ...rows];
  return columns(lines)
    .map((cells) => `${cells.join('  ').trimEnd()}\n`)
    .join('');
}

/** Pads the cells of each column to equal width. */
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

/** To the minute, in UTC; `absent` for null. */
export function formatTime(time: Date | null, absent: string): string {
  return time ? `${time.toISOString().slice(0, 16)}Z` : absent;
}

/** A longer list would widen every line of the table. */
const MAX_LISTED = 10;

/** Formats a company restriction for a table cell. */
export function formatCompanies(ids: readonly number[]): string {
  const more = ids.length - MAX_LISTED;
  return `${ids.slice(0, MAX_LISTED).join(',')}${more > 0 ? ` and ${more} more` : ''}` || 'all';
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
