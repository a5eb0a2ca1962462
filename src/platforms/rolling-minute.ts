/** Seconds per slot of the minute. There is one slot more than in a minute, for the one that has just begun. */
const SLOT_SECONDS = 5;
const SLOTS = 60 / SLOT_SECONDS + 1;
const SLOT = `floor(EXTRACT(EPOCH FROM now()) / ${SLOT_SECONDS})::bigint`;
/** The slots of the last minute as they are now, the newest first. */
const RECENT = `(array_fill(0, ARRAY[LEAST(${SLOTS}, GREATEST(0, ${SLOT} - t.recent_slot))::int]) || t.recent_calls
  || array_fill(0, ARRAY[${SLOTS}]))[1:${SLOTS}]`;

/** The calls of the last minute, of the row `t`. */
export const RECENT_SUM = `(SELECT sum(c.calls) FROM unnest(${RECENT}) c (calls))`;

/**
 * A statement that waited for the row lock may have an earlier timestamp than the lock's holder: the slot moves back
 * only for a clock that was set back, not for that.
 */
const NEWEST = `GREATEST(${SLOT}, LEAST(t.recent_slot, ${SLOT} + 1))`;

/**
 * Assignments that add `calls`, an SQL expression, to the minute of the row `t` if `condition` holds, and take `unused`
 * ones out of it. These were counted in one of the last two slots: the earlier one first, so that none ends with too few.
 */
export function countRecent(calls: string, { unused = '0', condition = 'true' } = {}): string {
  const [newest, earlier] = [`(${RECENT})[1]`, `(${RECENT})[2]`];
  const counted = `ARRAY[GREATEST(0, ${newest} - GREATEST(0, ${unused} - ${earlier})) + ${calls},
    GREATEST(0, ${earlier} - ${unused})]::int[] || (${RECENT})[3:${SLOTS}]`;
  return `recent_calls = CASE WHEN ${condition} THEN ${counted} ELSE t.recent_calls END,
    recent_slot = CASE WHEN ${condition} THEN ${NEWEST} ELSE t.recent_slot END`;
}

/** When the minute of the row `t` has room below `most`, an SQL expression. */
export const roomAt = (max: string): string =>
  `(SELECT to_timestamp((${SLOT} + min(s.later)) * ${SLOT_SECONDS}) FROM generate_series(0, ${SLOTS}) s (later)
    WHERE (SELECT COALESCE(sum(c.calls), 0) FROM unnest((${RECENT})[1:${SLOTS} - s.later]) c (calls)) < ${max})`;

/** Calls in a platform's minute that we have not counted: made by others. */
export const callsOfOthers = (max: string, left: string): string =>
  `GREATEST(0, ${max} - ${left} - ${RECENT_SUM})`;
