import { startProcess } from '../processes.js';

/** No load over HTTP: a separate process stores batches and times them. */
export const ingest = {
  title: 'W6: storing 1,000 bill payments with change log, against a bare INSERT of the same rows',
  run: ({ databaseUrl, rounds }) =>
    new Promise((resolve, reject) => {
      const env = { DATABASE_URL: databaseUrl, BENCH_TURNS: String(rounds * 5) };
      const child = startProcess('ingest/main.js', env);
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve({ ingest: JSON.parse(output) });
        else reject(new Error(`the ingest process ended with ${code}`));
      });
    }),
};
