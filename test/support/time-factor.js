/** `TEST_TIME_FACTOR` stretches every time limit of the suite, for slow or busy machines. */
export const TIME_FACTOR = readFactor(process.env.TEST_TIME_FACTOR ?? '1');

function readFactor(given) {
  const factor = Number(given);
  if (factor >= 0.1 && factor <= 100) return factor;
  throw new Error(`TEST_TIME_FACTOR must be a number between 0.1 and 100, got ${given}`);
}
