/**
 * Minimum ratio of the limit's work per request to ours, by workload and target. On an otherwise idle machine it
 * equals the ratio of requests per second. Work is the CPU time of server and database together, which varies less
 * when the machine is busy. The guard fails below half of it, in the best round: noise and code that V8 has not
 * compiled yet slow down some rounds, a mistake slows down all. Machines differ: with the same builds, payments in
 * REST were at 0.5 to 0.66 on one, and at 0.37 in a round on another.
 */
const TARGETS = {
  payments: { 'ours, GraphQL': 0.75, 'ours, REST': 0.75 },
  related: { 'ours, GraphQL': 0.8, 'ours, REST': 0.75 },
  nested: { 'ours, GraphQL': 0.4 },
};

const work = ({ cpu, databaseCpu }) => cpu + databaseCpu;

/** For each ratio that the chosen workloads guard: whether it holds, or null if it was not measured. */
export function guarded(results, only) {
  return only.flatMap((name) => {
    const targets = results.find((result) => result.name === name)?.targets ?? [];
    return Object.entries(TARGETS[name] ?? {}).map(([of, wanted]) => {
      const title = `${name}, ${of}`;
      const target = targets.find((one) => one.name === of);
      const limit = targets.find((one) => one.name === target?.limit);
      if (!target || !limit) return { title, wanted, ratio: null, holds: null };
      const ratio = Math.max(...target.rounds.map((round, turn) => work(limit.rounds[turn]) / work(round)));
      return { title, wanted, ratio, holds: ratio >= wanted / 2 };
    });
  });
}

/** One line per ratio, and the total that `.ci/run` adds to the tests'. */
export function describeGuarded(ratios) {
  const lines = ratios.map(({ title, ratio, wanted, holds }) => {
    if (holds === null) return `NOT MEASURED  ${title}`;
    return `${holds ? 'holds       ' : 'TOO SLOW    '}  ${title}: ${ratio.toFixed(2)} of the limit by CPU, wanted ${wanted}`;
  });
  const count = (wanted) => ratios.filter(({ holds }) => holds === wanted).length;
  return [...lines, `Bench: ${count(false)} failed, ${count(null)} skipped, ${count(true)} passed`].join(
    '\n',
  );
}
