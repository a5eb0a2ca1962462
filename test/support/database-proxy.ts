import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A database behind an address of its own, which can be taken away and given back. */
export interface DatabaseProxy {
  readonly url: string;
  /** Breaks all connections off; new ones are answered. */
  drop(): void;
  /** Breaks all connections off, and new ones too. */
  takeAway(): void;
  giveBack(): void;
  /** What is sent is neither passed on nor refused; `giveBack` passes it on. */
  freeze(): void;
  close(): void;
}

export async function proxyDatabase(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isAway = false;
  let isFrozen = false;
  const server = createServer((incoming) => {
    if (isAway) return void incoming.destroy();
    const outgoing = connect(Number(target.port), target.hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === incoming ? outgoing : incoming).destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
    if (isFrozen) for (const socket of [incoming, outgoing]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    drop,
    takeAway: () => {
      isAway = true;
      drop();
    },
    freeze: () => {
      isFrozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    giveBack: () => {
      isAway = false;
      isFrozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    close: () => {
      drop();
      server.close();
    },
  };
}
