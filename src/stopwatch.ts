/**
 * Begins to measure; what it returns tells how many milliseconds have gone by. Of two clocks it is the one that says more:
 * the machine's clock may be set back, and the one that nobody sets stands still while the machine sleeps.
 */
export function startStopwatch(): () => number {
  const [began, beganAt] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - began, Date.now() - beganAt);
}
