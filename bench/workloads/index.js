import { counts } from './counts.js';
import { deep } from './deep.js';
import { fields } from './fields.js';
import { ingest } from './ingest.js';
import { lines } from './lines.js';
import { nested } from './nested.js';
import { payments } from './payments.js';
import { processes } from './processes.js';
import { related } from './related.js';
import { small } from './small.js';
import { soak } from './soak.js';
import { sorted } from './sorted.js';
import { unchanged } from './unchanged.js';

/** Every workload, in the order in which they run: the one that writes comes last. `soak` only runs if it is named. */
export const workloads = {
  payments,
  related,
  lines,
  nested,
  deep,
  counts,
  small,
  sorted,
  fields,
  unchanged,
  processes,
  ingest,
  soak,
};
