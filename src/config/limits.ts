import { DEFAULT_LIMITS, LIMIT_TABLE, type LimitName, type Limits } from '../limits.js';
import { integer } from './parsers.js';
import type { Variables } from './variables.js';

/** Pairs of default and maximum: lowering the maximum also lowers the default. */
const BOUND_LIMITS: readonly (readonly [LimitName, LimitName])[] = [
  ['pageSize', 'maxPageSize'],
  ['nestedPageSize', 'maxPageSize'],
  ['take', 'maxTake'],
];

export function readLimits(variables: Variables): Limits {
  const limits = { ...DEFAULT_LIMITS } as Record<LimitName, number>;
  for (const [name, limit] of Object.entries(LIMIT_TABLE) as [LimitName, { variable: string }][]) {
    const lowest = name.endsWith('PerMinute') || name === 'heldRowBytes' ? 0 : 1;
    limits[name] = variables.read(limit.variable, integer(lowest, 1_000_000_000), DEFAULT_LIMITS[name]);
  }
  for (const [name, bound] of BOUND_LIMITS) {
    const [given, max] = [LIMIT_TABLE[name].variable, LIMIT_TABLE[bound].variable];
    if (limits[name] <= limits[bound]) continue;
    if (variables.isGiven(given))
      variables.refuse(`${given} must be at most ${limits[bound]}, which is ${max}`);
    limits[name] = limits[bound];
  }
  return limits;
}
