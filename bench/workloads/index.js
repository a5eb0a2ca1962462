import { accounts } from './accounts.js';
import { counts } from './counts.js';
import { creditnotes } from './creditnotes.js';
import { deep } from './deep.js';
import { ingest } from './ingest.js';
import { nested } from './nested.js';
import { processes } from './processes.js';
import { small } from './small.js';

/** Every workload, in the order in which they run: the one that writes is the last. */
export const workloads = { accounts, creditnotes, nested, deep, counts, small, processes, ingest };
