import fc from 'fast-check';

/**
 * Generated cases are the same in every run, so that results depend on the code and not on chance. `FUZZ_SEED=random`
 * generates others, and a number repeats those of a printed failure.
 */
const given = process.env['FUZZ_SEED'] ?? '20261124';
if (given !== 'random') fc.configureGlobal({ seed: Number(given) });

export default fc;
