import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that can break a connection, also at a given request. */
export interface CuttingProxy {
  readonly url: string;
  /** Asks before each request is forwarded; where the answer is false, the connection breaks instead. */
  guard(mayPass: (request: Buffer) => boolean | Promise<boolean>): void;
  /**
   * Breaks the connection at the nth request from now: the request is either not forwarded, or forwarded and never
   * answered.
   */
  cut(nth: number, how: 'before' | 'after'): void;
  /** Breaks all connections; new ones are accepted. */
  cutAll(): void;
  /** Disarms the proxy; returns whether a connection was cut. */
  stop(): boolean;
  close(): void;
}

export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let left: number | null = null;
  let how: 'before' | 'after' = 'before';
  let hasCut = false;
  let mayPass: (request: Buffer) => boolean | Promise<boolean> = () => true;
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    const drop = () => [incoming, outgoing].forEach((one) => one.destroy());
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', drop).on('close', () => {
        sockets.delete(socket);
        drop();
      });
    }
    outgoing.pipe(incoming);
    const forward = (part: Buffer) => {
      if (left !== null && (left -= 1) === 0) {
        [left, hasCut] = [null, true];
        if (how === 'before') return drop();
        outgoing.unpipe(incoming);
        // A response means that the request has been executed.
        outgoing.once('data', drop).resume();
      }
      outgoing.write(part);
    };
    // One after the other: a request that is held back holds back those after it.
    let forwarded = Promise.resolve();
    incoming.on('data', (part: Buffer) => {
      forwarded = forwarded.then(async () => ((await mayPass(part)) ? forward(part) : void drop()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${own}` }).href,
    guard: (decide) => {
      mayPass = decide;
    },
    cut: (nth, when) => {
      [left, how, hasCut] = [nth, when, false];
    },
    cutAll,
    stop: () => {
      left = null;
      return hasCut;
    },
    close: () => {
      cutAll();
      server.close();
    },
  };
}
