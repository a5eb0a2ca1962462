import fc from 'fast-check';

/**
 * Generated cases are the same in every run, so that a run tells of the code and never of chance. `FUZZ_SEED=random` generates
 * others, and a number generates those that a failure printed.
 */
const given = process.env['FUZZ_SEED'] ?? '20261124';
if (given !== 'random') fc.configureGlobal({ seed: Number(given) });

export default fc;
