import { median } from './tables.js';

/**
 * What must hold, by workload and target: the limit's work for a request against ours, which on a machine that is busy
 * with nothing else is the ratio of requests a second. CPU time of server and database together is taken instead, because
 * it hardly changes when the machine is busy with something else. The guard fails at half of it: noise must not turn it
 * red, a mistake must. Machines differ: on one, related in REST was at
 * 0.44 to 0.49, with builds of two days.
 */
const TARGETS = {
  payments: { 'ours, GraphQL': 0.75, 'ours, REST': 0.9 },
  related: { 'ours, GraphQL': 0.8, 'ours, REST': 0.75 },
  nested: { 'ours, GraphQL': 0.4 },
};

const work = ({ cpu, databaseCpu }) => cpu + databaseCpu;

/** For each ratio that the chosen workloads guard: whether it holds, or null where it was not measured. */
export function guarded(results, only) {
  return only.flatMap((name) => {
    const targets = results.find((result) => result.name === name)?.targets ?? [];
    return Object.entries(TARGETS[name] ?? {}).map(([of, wanted]) => {
      const title = `${name}, ${of}`;
      const target = targets.find((one) => one.name === of);
      const limit = targets.find((one) => one.name === target?.limit);
      if (!target || !limit) return { title, wanted, ratio: null, holds: null };
      const ratio = median(target.rounds.map((round, turn) => work(limit.rounds[turn]) / work(round)));
      return { title, wanted, ratio, holds: ratio >= wanted / 2 };
    });
  });
}

/** A line for each, and the sum that `.ci/run` adds to the tests'. */
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
