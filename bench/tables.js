const columns = (baseline) => [
  'target',
  'requests/s',
  'spread',
  `of ${baseline}`,
  'x usual',
  'x mercurius',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'database CPU ms',
  'memory MB',
  'KB',
];

/** One line per target. Ratios are medians of the ratios of each round, as whatever slows a round slows both. */
export function loadTable(targets, baseline) {
  const byName = new Map(targets.map((target) => [target.name, target]));
  const lines = targets.map(({ name, rounds, limit, usual, bytes }) => {
    const ratioTo = (other) =>
      !byName.has(other)
        ? ''
        : median(rounds.map(({ perSecond }, turn) => perSecond / byName.get(other).rounds[turn].perSecond));
    const speeds = rounds.map(({ perSecond }) => perSecond);
    const of = (key) => median(rounds.map((round) => round[key]));
    return [
      name,
      number(median(speeds), 0),
      `${number(Math.min(...speeds), 0)} to ${number(Math.max(...speeds), 0)}`,
      number(ratioTo(limit), 2),
      number(ratioTo(usual), 1),
      number(usual === 'usual' ? ratioTo('mercurius') : '', 2),
      number(of('p50'), 1),
      number(of('p99'), 1),
      number(of('cpu'), 2),
      number(of('databaseCpu'), 2),
      number(of('memory'), 0),
      number(bytes / 1024, 1),
    ];
  });
  return markdown(columns(baseline), lines);
}

export function ingestTable({ times, cpu }) {
  const lines = Object.entries(times).map(([name, of]) => [
    name,
    number(median(of), 1),
    `${number(Math.min(...of), 1)} to ${number(Math.max(...of), 1)}`,
    number(median(of.map((time, turn) => time / times.bare[turn])), 2),
    number(median(cpu[name]), 1),
  ]);
  return markdown(['1,000 records', 'ms', 'spread', 'x bare', 'CPU ms'], lines);
}

export function memoryTable(memory) {
  return markdown(
    ['after minute', 'MB'],
    memory.map(({ minute, megabytes }) => [String(minute), number(megabytes, 0)]),
  );
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function number(value, digits) {
  return Number.isFinite(value) && value !== '' ? value.toFixed(digits) : '';
}

function markdown(head, lines) {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...lines.map((line) => line[index].length)),
  );
  const row = (cells) =>
    `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [row(head), rule, ...lines.map(row)].join('\n');
}
