import type { PointLimits } from '../connectors/connector.js';
import type { RemainingPoints } from '../connectors/platform-access.js';
import type { TenantQuery } from '../db/tenant-sql.js';

/** SQL on the points of a connection, the row `t`, in budget statements. */
interface PointsSql {
  /** Whether there are enough points for a call. */
  readonly hasRoom: string;
  /** Assignments that take a call's points. */
  readonly take: string;
  /** When there will be enough points. */
  readonly roomAt: string;
}

/**
 * A token bucket: a call takes the maximum that it may cost, and its response reports the rest. Background work leaves
 * a share of the bucket to writes.
 */
export function pointsSql(query: TenantQuery, limits: PointLimits, share: number): PointsSql {
  const [declared, restored, cost] = [limits.capacity, limits.perSecond, limits.mostPerCall].map(
    (value) => `${query.bind(value)}::float8`,
  );
  const capacity = `COALESCE(t.points_capacity, ${declared})`;
  const perSecond = `COALESCE(t.points_per_second, ${restored})`;
  const left = `LEAST(${capacity}, COALESCE(t.points_left, ${capacity})
    + GREATEST(0, EXTRACT(EPOCH FROM now() - COALESCE(t.points_at, now()))) * ${perSecond})`;
  // A bucket smaller than that must be full.
  const needed = `LEAST(${capacity}, ${cost} + ${capacity} * ${query.bind(1 - share)}::float8)`;
  return {
    hasRoom: `${left} >= ${needed}`,
    take: `points_left = ${left} - ${cost}, points_at = now()`,
    roomAt: `now() + GREATEST(0, (${needed} - ${left}) / ${perSecond}) * interval '1 second'`,
  };
}

/** Assignments of the platform's report; it may not include calls in flight yet. */
export function notePoints(
  query: TenantQuery,
  { mostPerCall }: PointLimits,
  { left, capacity, perSecond }: RemainingPoints,
): string {
  const underWay = `GREATEST(0, t.concurrent_calls - 1) * ${query.bind(mostPerCall)}::float8`;
  return `points_left = ${query.bind(left)}::float8 - ${underWay}, points_at = now(),
    points_capacity = COALESCE(${query.bind(capacity)}::float8, t.points_capacity),
    points_per_second = COALESCE(${query.bind(perSecond)}::float8, t.points_per_second)`;
}
