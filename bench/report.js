import { mkdirSync, writeFileSync } from 'node:fs';
import { ingestTable, loadTable, memoryTable } from './tables.js';

/** Prints the tables and keeps them, with every round, under `results/`. */
export function report({ options, machine, results }) {
  const { rows, seconds, rounds } = options;
  const date = new Date().toISOString();
  const about = [
    `${rows} bill payments, ${rounds} rounds of ${seconds} s, 16 connections.`,
    `${machine.cpu}, ${machine.memory}, Node ${machine.node}, PostgreSQL ${machine.postgresql}.`,
  ].join(' ');
  const sections = results.map((result) => {
    return `## ${result.title}\n\n${tableOf(result)}\n`;
  });
  const text = `# Bench of ${date.slice(0, 10)}\n\n${about}\n\n${sections.join('\n')}`;
  process.stdout.write(`\n${text}\n`);
  if (options.guard) return;
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const name = `${date.slice(0, 16).replace(':', '')}-rows-${rows}`;
  writeFileSync(new URL(`${name}.md`, folder), text);
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ date, rows, seconds, rounds, machine, results }, null, 1)}\n`,
  );
}

function tableOf({ ingest, memory, targets }) {
  if (ingest) return ingestTable(ingest);
  return memory ? memoryTable(memory) : loadTable(targets);
}
