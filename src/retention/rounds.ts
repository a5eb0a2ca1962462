/** Maximum rows per transaction: others wait for it. */
export const TOGETHER = 500;
/** Maximum transactions per kind and run; the next run removes the rest. */
const MAX_ROUNDS = 40;

/** The count of a run that hit the maximum of its kind, so that more is left. */
export const MAX_A_RUN = TOGETHER * MAX_ROUNDS;

/** Runs `round` until it handled fewer rows than fit; never where `days` is 0. Returns the number of rows. */
export async function inRounds(days: number, round: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let rounds = 0; days > 0 && rounds < MAX_ROUNDS; rounds += 1) {
    const count = await round();
    sum += count;
    if (count < TOGETHER) break;
  }
  return sum;
}
