import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that drops headers with underscores, as nginx does by default. */
export interface StrictProxy {
  readonly url: string;
  close(): void;
}

export async function openStrictProxy(target: string): Promise<StrictProxy> {
  const server = createServer((incoming, outgoing) => {
    const given = Object.entries(incoming.headers).filter(([name]) => !name.includes('_'));
    const onward = forward(
      target + incoming.url,
      { method: incoming.method, headers: Object.fromEntries(given) },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
