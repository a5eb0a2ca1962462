import { median } from './tables.js';

/**
 * What must hold, by workload and target: the limit's work for a request against ours, which on a machine that is busy
 * with nothing else is the ratio of requests a second. CPU time of server and database together is taken instead, because
 * it hardly changes when the machine is busy with something else. The guard fails at half of it: noise must not turn it
 * red, a mistake must.
 */
const TARGETS = {
  payments: { 'ours, GraphQL': 0.75, 'ours, REST': 0.9 },
  related: { 'ours, GraphQL': 0.8, 'ours, REST': 0.85 },
  nested: { 'ours, GraphQL': 0.4 },
};

const work = ({ cpu, databaseCpu }) => cpu + databaseCpu;

/** One line for each ratio that is guarded, with whether it holds. */
export function guarded(results) {
  return results.flatMap(({ name, targets = [] }) =>
    targets.flatMap((target) => {
      const wanted = TARGETS[name]?.[target.name];
      const limit = targets.find((one) => one.name === target.limit);
      if (wanted === undefined || !limit) return [];
      const ratio = median(target.rounds.map((round, turn) => work(limit.rounds[turn]) / work(round)));
      return [{ title: `${name}, ${target.name}`, ratio, wanted, holds: ratio >= wanted / 2 }];
    }),
  );
}
