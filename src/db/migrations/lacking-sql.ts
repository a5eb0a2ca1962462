const REMOVAL = /^-- Drop(Index|Table|Enum|ForeignKey)\n/;

const FOREIGN_KEY = /^-- AddForeignKey\nALTER TABLE "([^"]+)"/;

/**
 * The part of the engine's script that adds or changes something. What the database has beyond the models was
 * made by hand-written SQL (partitions, special indexes, tables without a model), and its removal is not wanted.
 * Tables that are spread over a cluster have no foreign keys.
 */
export function lackingSql(script: string, spread: ReadonlySet<string>): string | null {
  const steps = script
    .split(/^(?=-- )/m)
    .map((step) => withoutSequenceConfusion(step.trim()))
    .filter((step) => step.includes('\n'));
  const changes = steps.filter(
    (step) => !REMOVAL.test(step) && !spread.has(FOREIGN_KEY.exec(step)?.[1] ?? ''),
  );
  // Keeps the removal of an object that is recreated: together they are a change.
  const isRemade = (step: string) => {
    const removed = step.match(/"[^"]+"(?=[^"]*$)/)?.[0];
    return removed !== undefined && changes.some((change) => change.includes(removed));
  };
  const lacking = steps.filter((step) => changes.includes(step) || isRemade(step));
  return lacking.length === 0 ? null : lacking.join('\n\n');
}

/**
 * The engine takes each default of `nextval` in the database for that of `autoincrement()`, with a sequence of the
 * column's own: where a model names the sequence, it sets the default, drops it again, and drops the sequence.
 */
function withoutSequenceConfusion(step: string): string {
  const [, head, body, drops] =
    step.match(/^(-- AlterTable\nALTER TABLE \S+ )([^]*?);((?:\nDROP SEQUENCE "[^"]+";)+)$/) ?? [];
  if (head === undefined || body === undefined || drops === undefined) return step;
  const clauses = body.split(',\n');
  const isConfusion = (clause: string) => {
    const [, dropped] = clause.match(/^ALTER COLUMN ("[^"]+") DROP DEFAULT$/) ?? [];
    if (dropped)
      return clauses.some((other) => other.startsWith(`ALTER COLUMN ${dropped} SET DEFAULT nextval(`));
    const [, column, sequence] =
      clause.match(/^ALTER COLUMN ("[^"]+") SET DEFAULT nextval\('"?([^'"]+)"?'::regclass\)$/) ?? [];
    return (
      clauses.includes(`ALTER COLUMN ${column} DROP DEFAULT`) &&
      drops.includes(`DROP SEQUENCE "${sequence}";`)
    );
  };
  const kept = clauses.filter((clause) => !isConfusion(clause));
  return kept.length === 0 ? '' : `${head}${kept.join(',\n')};`;
}
