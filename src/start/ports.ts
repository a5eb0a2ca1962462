import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from '../config/config.js';
import type { Address } from '../config/parsers.js';

/** Throws the errors that listening would throw. Tries both ports together: they must differ. */
export async function tryPorts({ role, port, host, metricsAddress }: Config): Promise<void> {
  const servers: Server[] = [];
  const listen = async (address: Address) => {
    if (address.port === 0) return;
    const server = createServer().listen(address);
    servers.push(server);
    await once(server, 'listening');
  };
  try {
    if (role !== 'worker') await listen({ port, host });
    if (metricsAddress) await listen(metricsAddress).catch(blameSetting('METRICS_ADDRESS'));
  } finally {
    const open = servers.filter((server) => server.listening);
    await Promise.all(open.map((server) => once(server.close(), 'close')));
  }
}

/** Adds to a listen error the setting at fault, if not PORT or HOST. */
export const blameSetting = (setting: string) => (error: unknown) => {
  throw Object.assign(error as Error, { setting });
};
