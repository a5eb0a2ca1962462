import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A proxy with its own address, which can be cut off, restored, and pointed at another server.
 * @param {string} targetUrl URL of the server
 */
export async function openProxy(targetUrl) {
  let target = new URL(targetUrl);
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  let isAway = false;
  let isFrozen = false;
  /** @type {string | null} */
  let swallowed = null;
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
    incoming.on('data', (part) => {
      if (swallowed === null || !part.includes(swallowed)) return;
      swallowed = null;
      outgoing.unpipe(incoming);
      // The statement was executed if there is an answer.
      outgoing.once('data', () => incoming.destroy()).resume();
    });
    if (isFrozen) for (const socket of [incoming, outgoing]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: Object.assign(new URL(targetUrl), { host: `127.0.0.1:${port}` }).href,
    /** Closes all connections; new ones work. */
    drop,
    /** Closes all connections, and refuses new ones. */
    takeAway() {
      isAway = true;
      drop();
    },
    /** Holds data back without refusing connections; `giveBack` passes it on. */
    freeze() {
      isFrozen = true;
      sockets.forEach((socket) => socket.pause());
    },
    /** Silently drops everything sent over existing connections; new ones work. */
    abandon() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.resume();
        socket.removeAllListeners('close');
        socket.on('close', () => sockets.delete(socket));
      }
    },
    /**
     * Passes on the next statement with this text, and closes its connection instead of answering.
     * @param {string} text
     */
    swallowAnswer(text) {
      swallowed = text;
    },
    giveBack() {
      isAway = false;
      isFrozen = false;
      sockets.forEach((socket) => socket.resume());
    },
    /**
     * Directs new connections to this server.
     * @param {string} url
     */
    leadTo(url) {
      target = new URL(url);
    },
    close() {
      drop();
      server.close();
    },
  };
}
