const say = (text) => process.stdout.write(`${text}\n`);
const SHOWN = 5;

/** All problems of a report, one per line. */
export const problemsOf = ({ verdicts, missed = [], faults = [] }) => [
  ...verdicts.flatMap(({ title, problems }) => problems.map((problem) => `${title}: ${problem}`)),
  ...missed.map((point) => `nobody came to "${point}"`),
  ...faults,
];

/** The number of checks that passed and failed. */
export function tally(reports) {
  const passed = reports.flatMap(({ verdicts }) => verdicts).reduce((sum, one) => sum + one.passed, 0);
  return { passed, failed: reports.reduce((sum, report) => sum + problemsOf(report).length, 0) };
}

export function tell(title, report) {
  const { figures, seconds, kills, randomKills, points, zombies = 0 } = report;
  say(`${title}: ${seconds} s, ${figures.batches} batches, ${figures.items} items`);
  const atPoints = Object.values(points).reduce((sum, count) => sum + count, 0);
  if (kills > 0) say(`  ${kills} kills, ${randomKills} of them at random`);
  if (atPoints > 0)
    say(`  ${atPoints} stops at ${Object.keys(points).length} points, each ${range(points)} times`);
  if (zombies > 0) say(`  ${zombies} zombies`);
  say(
    `  ${figures.unanswered} requests without an answer, ${figures.resent} items written again after a refusal`,
  );
  for (const [name, value] of Object.entries(report.counts ?? {})) say(`  ${name}: ${value}`);
  say(`  lost ${figures.lost}, duplicated ${figures.duplicated}`);
  for (const { title: promise, passed, problems } of report.verdicts) {
    say(`  ${problems.length === 0 ? 'ok    ' : 'FAILED'} ${promise} (${passed})`);
    for (const problem of problems.slice(0, SHOWN)) say(`           ${problem.slice(0, 300)}`);
    if (problems.length > SHOWN) say(`           and ${problems.length - SHOWN} more`);
  }
  for (const point of report.missed ?? []) say(`  FAILED nobody came to "${point}"`);
  for (const fault of report.faults) say(`  FAILED ${fault}`);
}

function range(points) {
  const counts = Object.values(points);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${least}` : `${least} to ${most}`;
}
