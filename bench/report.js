import { mkdirSync, writeFileSync } from 'node:fs';
import { ingestTable, loadTable, memoryTable } from './tables.js';

/**
 * Prints the tables and stores them, with every round, under `results/`. `baseline` is the target to compare with,
 * and `kind` a part of the file name.
 */
export function report({ options, machine, results, baseline = 'limit', kind = '' }) {
  const { rows, raw, seconds, rounds } = options;
  const date = new Date().toISOString();
  const about = [
    `${rows} bill payments${raw === 'small' ? ' with small raw data' : ''}, ${rounds} rounds of ${seconds} s, 16 connections.`,
    `${machine.cpu}, ${machine.memory}, Node ${machine.node}, PostgreSQL ${machine.postgresql}.`,
  ].join(' ');
  const sections = results.map((result) => {
    return `## ${result.title}\n\n${tableOf(result, baseline)}\n`;
  });
  const text = `# Bench of ${date.slice(0, 10)}\n\n${about}\n\n${sections.join('\n')}`;
  process.stdout.write(`\n${text}\n`);
  if (options.guard) return;
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const name = `${date.slice(0, 16).replace(':', '')}-${kind}rows-${rows}`;
  writeFileSync(new URL(`${name}.md`, folder), text);
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ date, rows, raw, seconds, rounds, machine, results }, null, 1)}\n`,
  );
}

function tableOf({ ingest, memory, targets }, baseline) {
  if (ingest) return ingestTable(ingest);
  return memory ? memoryTable(memory) : loadTable(targets, baseline);
}
