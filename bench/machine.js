import { cpus, loadavg, totalmem } from 'node:os';

/** The machine and versions that the figures were measured on. */
export async function machine(client) {
  const { rows } = await client.query('SHOW server_version');
  return {
    cpu: `${cpus().length} x ${cpus()[0]?.model.trim()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.versions.node,
    postgresql: rows[0].server_version,
    load: loadavg()[0].toFixed(1),
  };
}
