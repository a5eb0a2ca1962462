/**
 * Starts measuring; the returned function gives the elapsed milliseconds. Uses the larger of two clocks: the wall clock
 * may be set back, and the monotonic one stops while the machine sleeps.
 */
export function startStopwatch(): () => number {
  const [began, beganAt] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - began, Date.now() - beganAt);
}
